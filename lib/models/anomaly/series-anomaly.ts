import { generalisedEsd } from '#lib/numerics/anomaly/generalised-esd.ts';
import { matrixProfile, profileAgainst, valuesNeeded } from '#lib/numerics/anomaly/matrix-profile.ts';
import {
  forecastRemainders,
  remainderAhead,
  seasonalRemainder,
} from '#lib/numerics/anomaly/seasonal-remainder.ts';
import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import { LEVEL, OUTLIER_SHARE } from './anomaly-methods.ts';
import type { AnomalyInput } from './anomaly.schema.ts';

/**
 * The scores of a series, the scores of usual values, and the rows that a test found to be outliers, in the order of
 * the test.
 */
export type SeriesScores = {
  usual: Float64Array;
  scores: Float64Array;
  outliers?: { row: number; statistic: number; critical_value: number }[];
};

/**
 * Returns the number of values that a reference needs. If later values are scored, the reference needs more values,
 * because its last part is held out to calibrate the predictions.
 */
export function seriesNeeded(
  { method, period = 0, window = 0 }: Pick<AnomalyInput, 'method' | 'period' | 'window'>,
  isItself: boolean,
): number {
  if (method === 'matrix_profile') return valuesNeeded(window);
  return (isItself ? 2 : 3) * period + 1;
}

/**
 * Scores the values of a series, or later values against the series as the reference.
 *
 * `stl_gesd`: the distance of the remainder, without trend and season, from its mean, in standard deviations. Rosner's
 * test finds the outliers. Later values are predicted from the reference. Their prediction errors are compared with the
 * errors of predicting the last seasons of the reference itself. `matrix_profile`: the distance of a window from its
 * nearest neighbour in the reference.
 */
export function seriesScores(
  input: AnomalyInput,
  reference: Float64Array,
  rows: Float64Array | null,
): SeriesScores {
  const { window = 0, period = 0 } = input;
  if (input.method === 'matrix_profile') {
    const usual = matrixProfile(reference, window).distances;
    return { usual, scores: rows === null ? usual : profileAgainst(reference, rows, window) };
  }
  return rows === null ? testedScores(input, reference, period) : foretoldScores(reference, period, rows);
}

function testedScores(
  { outlier_share = OUTLIER_SHARE, level = LEVEL }: AnomalyInput,
  series: Float64Array,
  period: number,
): SeriesScores {
  const remainder = seasonalRemainder(series, period);
  const centre = mean(remainder);
  const scale = standardDeviation(remainder, { ddof: 1 });
  const scores = remainder.map((each) => (scale > 0 ? Math.abs(each - centre) / scale : 0));
  const max = Math.max(1, Math.floor(outlier_share * series.length));
  const { outliers, steps } = generalisedEsd(remainder, { max, level });
  return {
    usual: scores,
    scores,
    outliers: steps
      .slice(0, outliers)
      .map(({ place, statistic, critical }) => ({ row: place, statistic, critical_value: critical })),
  };
}

function foretoldScores(reference: Float64Array, period: number, rows: Float64Array): SeriesScores {
  const known = forecastRemainders(reference, period);
  let squares = 0;
  for (const each of known) squares += each * each;
  const scale = Math.sqrt(squares / known.length);
  const inUnits = (each: number) => (scale > 0 ? Math.abs(each) / scale : Math.abs(each));
  return {
    usual: known.map(inUnits),
    scores: remainderAhead(reference, period, rows).map(inUnits),
  };
}
