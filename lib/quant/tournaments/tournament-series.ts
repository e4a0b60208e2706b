import { laterPeriod } from '#lib/data/period-steps.ts';
import { periodName, type PeriodFrequency } from '#lib/data/period.ts';
import { periodOf } from '#lib/forecasting/engine/frequency.ts';
import type { PredictionCheckpoint } from '#lib/models/registry/prediction.schema.ts';
import type { Series } from '#lib/models/prediction/series.ts';

/** Why a series takes no part in a tournament. */
export const leftOutReasons = [
  'not_observed',
  'frequency_unavailable',
  'currencies_mixed',
  'not_finite',
  'no_origin',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** A series of a tournament: its facts, and the place of its values among the values of all series. */
export type SeriesFacts = {
  /** The metric, or the target column of a dataset. */
  metric: string;
  company: number | null;
  frequency: PeriodFrequency;
  unit: string | null;
  currency: string | null;
  /** Last day of the first period. */
  first: string;
  start: number;
  count: number;
  reason: LeftOutReason | null;
};

/** Predictions of an entry by day: pairs of a prediction and the second from which on it was known. */
export type Predictions = { days: string[]; pairs: Float64Array };

/**
 * The data of a tournament. `values` contains the values of all series, one series after the other; NaN is a missing
 * value.
 */
export type TournamentData = {
  series: SeriesFacts[];
  values: Float64Array;
  /** The rows of a dataset task; null for series. */
  rows: Series | null;
  /** By name of the entry. */
  predictions: Readonly<Record<string, Predictions>>;
  checkpoints: Readonly<Record<string, PredictionCheckpoint>>;
};

/** Returns the values of a series. */
export function valuesOf({ values }: TournamentData, { start, count }: SeriesFacts): Float64Array {
  return values.subarray(start, start + count);
}

/** Returns the length of the season of a series, 1 without a season. */
export function seasonOf({ frequency }: SeriesFacts): number {
  return periodOf[frequency];
}

/** Returns the name and the last day of the period at an index of a series. The name of a row is its day. */
export function periodAt(
  { rows }: TournamentData,
  { frequency, first }: SeriesFacts,
  place: number,
): { period: string; day: string } {
  const day = rows ? rows.days[place]! : laterPeriod(frequency, first, place);
  return { period: rows ? day : periodName({ frequency, lastDay: day }), day };
}
