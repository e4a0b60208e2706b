import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import { OBSERVATIONS_MIN } from '#lib/forecasting/engine/limits.ts';
import { curveReturns } from '../../backtests/curve-returns.ts';
import type { TournamentInput } from '../tournament-input.schema.ts';
import type { StrategyCurve } from './strategy-curves.ts';

type Simulated = Extract<StrategyCurve, { ok: true }>;

/** Returns the days on which every curve has a value, ascending. */
export function commonDays(curves: readonly Simulated[]): number[] {
  const [first, ...others] = curves.map(({ days }) => days);
  const sets = others.map((days) => new Set(days));
  return [...(first ?? [])].filter((day) => sets.every((days) => days.has(day)));
}

/** Returns the values of a curve on some of its days. */
export function valuesOn(days: readonly number[], { days: own, values }: Simulated): Float64Array {
  const placeOf = new Map(Array.from(own, (day, at) => [day, at]));
  return Float64Array.from(days, (day) => values[placeOf.get(day)!]!);
}

type Plan = Pick<TournamentInput, 'first' | 'step' | 'most' | 'horizon'>;

/**
 * Returns the origins of n common sessions, oldest first: the number of sessions up to each origin. The first has
 * `first` sessions, the next ones follow every `step` sessions, and each is followed by `horizon` sessions. The newest
 * `most` are returned. Without `first`, the first origin is the first session, or half of the sessions if an entry has
 * variants.
 *
 * Example: 10 sessions, `first` 4, `step` 3 and `horizon` 2 give [4, 7].
 */
export function sessionOrigins(n: number, plan: Plan, hasVariants: boolean): number[] {
  const { step, most, horizon } = plan;
  const first = plan.first ?? (hasVariants ? Math.max(OBSERVATIONS_MIN, Math.ceil(n / 2)) : 1);
  const origins: number[] = [];
  for (let at = first; at + horizon <= n; at += step) origins.push(at);
  return origins.slice(-most);
}

/**
 * Returns the set of parameters that an entry uses at each origin: the index of the curve with the largest Sharpe ratio
 * over the sessions of the window up to the origin, chosen again at every `refit_every`-th origin. Of equal ratios, the
 * first is chosen; a curve without a ratio is chosen only if none has one.
 *
 * `curves`: the values of the parameter sets of the entry on the common days.
 */
export function chosenVariants(
  curves: readonly Float64Array[],
  origins: readonly number[],
  { window, refit_every: every }: Pick<TournamentInput, 'window' | 'refit_every'>,
): number[] {
  if (curves.length < 2) return origins.map(() => 0);
  let chosen = 0;
  return origins.map((at, place) => {
    if (place % every > 0) return chosen;
    const from = window === 'expanding' ? 0 : Math.max(0, at - window.rolling);
    const ratios = curves.map(
      (values) =>
        sharpeRatio(curveReturns(values.subarray(from, at)), { riskFree: 0, periodsPerYear: 1 }) ?? -Infinity,
    );
    chosen = ratios.indexOf(Math.max(...ratios));
    return chosen;
  });
}

/**
 * Returns the returns of an entry after each origin: simple returns over `horizon` sessions of the parameter set in
 * use. If the set has no value left at an origin, returns the index of the origin instead.
 */
export function originReturns(
  curves: readonly Float64Array[],
  { origins, chosen, horizon }: { origins: readonly number[]; chosen: readonly number[]; horizon: number },
): { ok: true; returns: Float64Array } | { ok: false; place: number } {
  const returns = new Float64Array(origins.length);
  for (const [place, at] of origins.entries()) {
    const values = curves[chosen[place]!]!;
    const before = values[at - 1]!;
    if (!(before > 0)) return { ok: false, place };
    returns[place] = values[at - 1 + horizon]! / before - 1;
  }
  return { ok: true, returns };
}
