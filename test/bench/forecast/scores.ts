import { mean } from 'simple-statistics';
import {
  countInside,
  mase,
  meanScaledIntervalScore,
  overallWeightedAverage,
  seasonalNaiveScale,
  smape,
  type Bounds,
} from '#lib/forecasting/engine/error-metrics.ts';
import type { TestSeries } from './series-file.ts';

/** Errors of one forecast of one series. If the forecast has an interval, also the errors of the interval. */
export type SeriesScore = {
  smape: number;
  mase: number;
  interval: { msis: number; inside: number; of: number } | null;
};

/** Mean scores over the series of a group. Coverage is in per cent. */
export type GroupScore = {
  series: number;
  smape: number;
  mase: number;
  msis: number | null;
  coverage: number | null;
};

const LEVEL = 95;

/** Scores a forecast against the test values. The bounds are those of the 95 % interval. */
export function scoreOf(series: TestSeries, points: ArrayLike<number>, bounds: Bounds | null): SeriesScore {
  const { train, test, period } = series;
  const scale = seasonalNaiveScale(train, period);
  return {
    smape: smape(test, points),
    mase: mase(test, points, scale),
    interval: bounds && {
      msis: meanScaledIntervalScore(test, bounds, { level: LEVEL, scale }),
      inside: countInside(test, bounds),
      of: test.length,
    },
  };
}

/**
 * Returns the scores of a group. Coverage is over all test values of the group; every other score is a mean
 * over the series.
 */
export function groupScore(scores: readonly SeriesScore[]): GroupScore {
  const intervals = scores.flatMap(({ interval }) => (interval ? [interval] : []));
  const hasIntervals = intervals.length === scores.length && scores.length > 0;
  return {
    series: scores.length,
    smape: mean(scores.map(({ smape }) => smape)),
    mase: mean(scores.map(({ mase }) => mase)),
    msis: hasIntervals ? mean(intervals.map(({ msis }) => msis)) : null,
    coverage: hasIntervals
      ? (100 * sumOf(intervals.map(({ inside }) => inside))) / sumOf(intervals.map(({ of }) => of))
      : null,
  };
}

/** Returns the OWA of a method relative to Naive2, with both methods scored over the same series. */
export function owaOf(method: readonly SeriesScore[], naive2: readonly SeriesScore[]): number {
  return overallWeightedAverage(groupScore(method), groupScore(naive2));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
