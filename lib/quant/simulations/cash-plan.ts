import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import type { Goal } from './simulation-setup.ts';
import type { SimulationInput } from './simulations.schema.ts';

/** Amounts of a simulation by month, in nominal minor units. */
export type CashPlan = {
  flows: Float64Array;
  /**
   * Withdrawals per unit of the withdrawal that the request solves for; null if the request solves for no withdrawal.
   */
  units: Float64Array | null;
  goals: Goal[];
  /** Initial wealth plus all flows. */
  invested: number;
};

/**
 * Returns the flows, goals and withdrawals of a request by month. The price level at the start of month 1 is
 * 1. `inflation`: a fraction per year.
 */
export function cashPlan(
  input: Pick<SimulationInput, 'horizon' | 'withdrawal' | 'flows' | 'goals'>,
  { initial, inflation }: { initial: number; inflation: number },
): CashPlan {
  const { horizon, withdrawal } = input;
  const prices = priceLevels(inflation, horizon);
  const flows = new Float64Array(horizon);
  for (const { from, to, amount_minor, indexed } of input.flows)
    for (let month = from; month <= to; month += 1)
      flows[month - 1]! += indexed ? amount_minor * prices[month - 1]! : amount_minor;
  const units = withdrawal ? new Float64Array(horizon) : null;
  if (withdrawal && units)
    for (let month = withdrawal.from; month <= withdrawal.to; month += 1)
      units[month - 1] = withdrawal.indexed ? prices[month - 1]! : 1;
  const goals = input.goals.map(({ name, at, amount_minor, real }) => ({
    name,
    month: at,
    amount: real ? amount_minor * prices[at]! : amount_minor,
    isReal: real,
  }));
  return { flows, units, goals, invested: flows.reduce((total, flow) => total + flow, initial) };
}

/** Returns the price level after 0, 1, ... months at an annual rate of inflation. */
function priceLevels(inflation: number, horizon: number): Float64Array {
  const monthly = ln(1 + inflation) / 12;
  return Float64Array.from({ length: horizon + 1 }, (_, months) =>
    inflation === 0 ? 1 : exp(monthly * months),
  );
}
