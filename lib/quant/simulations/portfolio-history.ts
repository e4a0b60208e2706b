import type { LoadedRisk } from '#lib/investment/risk/pinned-risk.query.ts';
import { prepareRisk, type PreparedRisk } from '#lib/investment/risk/prepared-risk.ts';
import { riskInputs } from '#lib/investment/risk/risk-data.ts';
import type { RiskInput } from '#lib/investment/risk/risk-input.ts';
import { REPORT_LIMITS } from '#lib/investment/risk/risk-limits.ts';
import { tooLarge, type RiskRefusal } from '#lib/investment/risk/risk-refusal.ts';
import type { PortfolioValue } from './portfolio-weights.ts';
import type { MonthlyGrowth } from './simulation-data.ts';
import { MONTHS_MIN } from './simulation-limits.ts';
import { currenciesMixed, inconsistent, type SimulationRefusal } from './simulation-refusal.ts';

/** The growth of a portfolio by month, its value in minor units, and its currency. */
export type PortfolioHistory = MonthlyGrowth & PortfolioValue;

/**
 * Returns the growth factors of a portfolio by month. With `isWhole`, the months are all months from the first day.
 * Otherwise they are the newest months in which the positions of the portfolio have prices. If a loss exceeds the
 * value, the factor is 0.
 */
export function portfolioHistory(risk: LoadedRisk, isWhole: boolean): PortfolioHistory | SimulationRefusal {
  if (risk.data === null) return refusalOf(tooLarge(risk.symbols, risk.rows - 1, REPORT_LIMITS)!);
  const [found] = riskInputs(risk.data);
  if (found!.state === 'inconsistent') return inconsistent(found!.detail);
  const { input } = found as Extract<typeof found, { state: 'consistent' }>;
  const months = Math.max(1, input.dates.length - 1);
  const outcome = isWhole ? preparedOver(input, months) : longest(input, months);
  if (!outcome.ok) return refusalOf(outcome.refusal);
  const { prepared } = outcome;
  const returns = (isWhole ? null : prepared.allReturns) ?? prepared.returns;
  return {
    days: input.dates.slice(input.dates.length - returns.length),
    growth: returns.map((each) => Math.max(0, 1 + each)),
    valueMinor: prepared.valueMinor,
    currency: prepared.currency,
  };
}

type Outcome = { ok: true; prepared: PreparedRisk } | { ok: false; refusal: RiskRefusal };

function preparedOver(
  input: RiskInput,
  window: number,
  include: RiskInput['options']['include'] = [],
): Outcome {
  return prepareRisk({ ...input, options: { ...input.options, window, include } });
}

/**
 * Prepares the risk over the longest window in which positions with prices have a sufficient share of the
 * value. A position with prices in a window also has prices in each shorter window, so bisection finds the
 * longest window.
 */
function longest(input: RiskInput, months: number): Outcome {
  const shortest = preparedOver(input, MONTHS_MIN, ['backtest']);
  if (!shortest.ok || input.options.basis === 'realised') return shortest;
  let best: Outcome = preparedOver(input, MONTHS_MIN);
  let [low, high] = [MONTHS_MIN, months];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const outcome = preparedOver(input, middle);
    if (outcome.ok) [low, best] = [middle, outcome];
    else high = middle - 1;
  }
  return best;
}

function refusalOf({ code, detail, members }: RiskRefusal): SimulationRefusal {
  if (code === 'currencies_mixed') return currenciesMixed(members['currencies'] as string[]);
  return { code, detail, members };
}
