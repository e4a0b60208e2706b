import { countInside, meanAbsoluteError, seasonalNaiveScale, smape } from './engine/error-metrics.ts';
import { periodOf } from './engine/frequency.ts';
import type { ForecastHistory, ForecastOutput } from './forecasts.schema.ts';

/** Accuracy of a forecast over the periods of its horizon that have a value so far. */
export type ForecastScore = {
  periods: number;
  of: number;
  /** The last period that was compared. */
  lastPeriod: string;
  mae: number;
  smape: number;
  /** MASE; null if the history does not change from season to season. */
  mase: number | null;
  coverage: { level: number; inside: number; of: number; share: number }[];
};

export type ScoredForecast = {
  result: Pick<ForecastOutput, 'frequency' | 'periods' | 'points' | 'intervals'>;
  history: ForecastHistory;
};

/**
 * Compares a forecast with actual values. `actual` has the values that are known now, by period. Returns undefined if
 * no period of the horizon has a value.
 */
export function scoreForecast(
  { result, history }: ScoredForecast,
  actual: ReadonlyMap<string, number>,
): ForecastScore | undefined {
  const known = result.periods.flatMap((period, at) => (actual.has(period) ? [at] : []));
  if (known.length === 0) return undefined;
  const at = (values: readonly number[]) => known.map((place) => values[place]!);
  const observed = known.map((place) => actual.get(result.periods[place]!)!);
  const points = at(result.points);
  const past = history.flatMap(({ value }) => (value === null ? [] : [value]));
  const scale = seasonalNaiveScale(past, periodOf[result.frequency]);
  const mae = meanAbsoluteError(observed, points);
  return {
    periods: known.length,
    of: result.periods.length,
    lastPeriod: result.periods[known.at(-1)!]!,
    mae,
    smape: smape(observed, points),
    mase: scale > 0 ? mae / scale : null,
    coverage: result.intervals.map(({ level, lower, upper }) => {
      const inside = countInside(observed, { lower: at(lower), upper: at(upper) });
      return { level, inside, of: known.length, share: (100 * inside) / known.length };
    }),
  };
}
