import { daysBefore, firstDayOfMonth, monthsBefore } from '#lib/core/date.ts';
import { reachOf } from '#lib/data/feature-expression/reach.ts';
import { priceColumns, readCondition, readSignal, reachOfCondition } from './strategy-formulas.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

/** The feature of a signal. */
export type FeatureNeed = { signal: string; key: string; version: number };

/** The data that a strategy reads. It is plain data, so that a run can seal it. */
export type StrategyQuestion = {
  frequency: 'daily' | 'monthly';
  universe: ResolvedStrategy['universe'];
  /** Number of sessions before the first decision whose data the signals and the estimates use. */
  warmup: number;
  features: FeatureNeed[];
  /** The groups that the limits name. */
  groups: ('sector' | 'theme')[];
  /** The economic series of the interest on cash, or null. */
  cashSeries: string | null;
};

/** Number of sessions over which the mean dollar volume of a universe is computed. */
export const VOLUME_SESSIONS = 21;
/** Calendar days per session, including weekends, holidays and a margin. */
const DAYS_PER_SESSION = 1.6;
const DAYS_MORE = 10;

/** Returns the data that a strategy reads. */
export function strategyQuestion(strategy: ResolvedStrategy): StrategyQuestion {
  const { signals, constraints, cash, frequency, universe } = strategy;
  return {
    frequency,
    universe,
    warmup: warmupOf(strategy),
    features: Object.entries(signals).flatMap(([signal, { feature, version }]) =>
      feature === null || version === null ? [] : [{ signal, key: feature, version }],
    ),
    groups: (['sector', 'theme'] as const).filter((group) => constraints.group_max[group] !== null),
    cashSeries: typeof cash.rate === 'string' ? cash.rate : null,
  };
}

/** Returns the first day of the prices that a strategy needs for decisions from the day `from` on. */
export function firstDayOf({ frequency, warmup }: StrategyQuestion, from: string): string {
  if (frequency === 'monthly') return firstDayOfMonth(monthsBefore(from.slice(0, 7), warmup + 1));
  return daysBefore(from, Math.ceil(warmup * DAYS_PER_SESSION) + DAYS_MORE);
}

const schemesOfRisk = new Set(['inverse_volatility', 'minimum_variance', 'risk_budget', 'hrp']);

function warmupOf({ universe, signals, select, weight, overlay, costs }: ResolvedStrategy): number {
  const reaches = Object.values(signals).map(({ expression }) => {
    const read = expression === null ? null : readSignal(expression);
    return read?.ok ? reachOf(read.parsed) : 0;
  });
  const conditionReach = (text: string | null, columns: readonly string[]) => {
    const read = text === null ? null : readCondition(text, columns);
    return read?.ok ? reachOfCondition(read.parsed) : 0;
  };
  return Math.max(
    VOLUME_SESSIONS,
    Math.max(0, ...reaches) + conditionReach(select.where, Object.keys(signals)),
    conditionReach(universe.where, priceColumns),
    schemesOfRisk.has(weight.scheme) ? weight.construct.window + 1 : 0,
    overlay.volatility_target ? overlay.volatility_target.window + 1 : 0,
    costs.impact.kind === 'none' ? 0 : costs.impact.window + 2,
  );
}
