import { seasonalNaiveScale } from '#lib/forecasting/engine/error-metrics.ts';
import { fillGaps } from '#lib/forecasting/engine/fill-gaps.ts';
import { GAP_SHARE_MAX, OBSERVATIONS_MIN } from '#lib/forecasting/engine/limits.ts';
import type { Series as Rows } from '#lib/models/prediction/series.ts';
import type { Known } from './entry-forecast.ts';
import type { TournamentInput } from './tournament-input.schema.ts';
import { periodAt, seasonOf, valuesOf, type SeriesFacts, type TournamentData } from './tournament-series.ts';

type Plan = Pick<TournamentInput, 'first' | 'step' | 'most' | 'window' | 'horizon' | 'horizons' | 'loss'>;

/** An origin: the values that entries see, without gaps, and the values to predict. */
export type SeriesOrigin = {
  /** Number of periods of the series before the origin. */
  observations: number;
  known: Known;
  /** The values of the horizon. */
  actual: Float64Array;
};

/**
 * Returns the origins of a series, oldest first: from `first` values on, every `step` periods, the newest `most` of
 * them. A series that could not be read has no origins.
 *
 * An origin is used only if its last known value and every value that is scored are observed, if at most a fifth of the
 * known values is missing, if there are at least 8 known values, and, for the scaled loss, if the known values vary.
 * Gaps of the known values are filled from the known values alone.
 */
export function seriesOrigins(plan: Plan, data: TournamentData, facts: SeriesFacts): SeriesOrigin[] {
  if (facts.reason !== null) return [];
  const values = valuesOf(data, facts);
  const { step, most, horizon } = plan;
  const first = plan.first ?? Math.max(OBSERVATIONS_MIN, Math.ceil(values.length / 2));
  const last = first + step * Math.floor((values.length - horizon - first) / step);
  const origins: SeriesOrigin[] = [];
  for (let at = last; at >= first && origins.length < most; at -= step) {
    const origin = originAt(data, facts, { ...plan, at });
    if (origin) origins.push(origin);
  }
  return origins.reverse();
}

function originAt(
  data: TournamentData,
  facts: SeriesFacts,
  { at, window, horizon, horizons, loss }: Plan & { at: number },
): SeriesOrigin | null {
  const actual = valuesOf(data, facts).subarray(at, at + horizon);
  const isScored = (value: number, place: number) =>
    (horizons === 'last' && place < horizon - 1) || !Number.isNaN(value);
  if (!actual.every(isScored)) return null;
  const known = knownAt(data, facts, { at, window, loss });
  return known && { observations: at, known, actual };
}

/**
 * Returns the data that entries see at the origin after the first `at` values of a series, without gaps; null if
 * entries cannot forecast from this origin.
 */
export function knownAt(
  data: TournamentData,
  facts: SeriesFacts,
  { at, window, loss }: Pick<Plan, 'window' | 'loss'> & { at: number },
): Known | null {
  const values = valuesOf(data, facts);
  const period = data.rows ? 1 : seasonOf(facts);
  if (at < 1 || Number.isNaN(values[at - 1]!)) return null;
  let from = window === 'expanding' ? 0 : Math.max(0, at - window.rolling);
  while (Number.isNaN(values[from]!)) from += 1;
  const given = values.subarray(from, at);
  let missing = 0;
  for (const value of given) if (Number.isNaN(value)) missing += 1;
  if (given.length - missing < OBSERVATIONS_MIN || missing > given.length * GAP_SHARE_MAX) return null;
  const known = missing === 0 ? given : filled(given, period);
  if (loss === 'scaled' && !(seasonalNaiveScale(known, period) > 0)) return null;
  const { day } = periodAt(data, facts, at - 1);
  const rows = data.rows && rowsOf(data.rows, from, at);
  return { values: known, period, day, rows };
}

function rowsOf({ factors, days, values }: Rows, from: number, to: number): Rows {
  const k = factors.length;
  return { factors, days: days.slice(from, to), values: values.subarray(from * k, to * k) };
}

function filled(given: Float64Array, period: number): Float64Array {
  return fillGaps(
    Array.from(given, (value) => (Number.isNaN(value) ? null : value)),
    period,
  ).values;
}
