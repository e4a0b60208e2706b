import type { Forecast } from '#lib/forecasting/methods/method.ts';
import { seasonalNaiveScale } from './error-metrics.ts';
import type { ForecastModel } from './forecast-models.ts';
import type { Frequency } from './forecast-series.types.ts';
import { disagreementOf, weightedError, wideningOf } from './interval-widening.ts';
import {
  combinedIntervals,
  hasFiniteErrors,
  intervalSources,
  meanWidth,
  type IntervalBounds,
} from './intervals.ts';
import { learnedOf, type IntervalSide } from './learned-constants.ts';
import type { Prepared } from './prepare-series.ts';
import type { Candidate } from './run-pool.ts';

/** A run of the pool. `weights` are the weights of the combination, even if a single method is requested. */
export type WeighedRun = {
  prepared: Prepared;
  candidates: readonly Candidate[];
  weights: readonly number[];
  frequency: Frequency;
  model: ForecastModel;
};

/**
 * The points that the intervals surround: the points of the forecast, and the points at each origin of the backtest.
 */
export type Centers = { point: Float64Array; atOrigins: readonly Float64Array[] };

export type IntervalOptions = { levels: readonly number[]; nonNegative: boolean };

/** The intervals of a run. `sources` are the keys of the methods whose standard errors were averaged. */
export type RunIntervals = {
  sources: string[];
  /** The ratios of the widths to the mean standard error on each side; the same array if they are symmetric. */
  widening: { lower: Float64Array | null; upper: Float64Array | null };
  intervals: IntervalBounds[];
  intervalsAtOrigins: IntervalBounds[][];
};

/**
 * Returns the intervals of a forecast and of its backtest. At an origin, the errors at the other origins replace the
 * backtest error, because the values after the origin must not determine the width.
 */
export function intervalsOfRun(
  { prepared, candidates, weights, frequency, model }: WeighedRun,
  { point, atOrigins }: Centers,
  { levels, nonNegative }: IntervalOptions,
): RunIntervals {
  const sources = intervalSources(candidates.filter(({ forecast }) => hasFiniteErrors(forecast)));
  const { values, period } = prepared.series;
  const { lower, upper } = learnedOf({ frequency, observations: values.length }, model);
  const around = (center: Float64Array, of: (candidate: Candidate) => Forecast | null, at: number | null) => {
    const standardErrors = sources.flatMap((each) => {
      const forecast = of(each);
      return hasFiniteErrors(forecast) ? [forecast!.standardErrors!] : [];
    });
    const known = at === null ? values : prepared.origins[at]!.known.values;
    const width = meanWidth(standardErrors, center.length);
    const evidence = {
      disagreement: disagreementOf(
        center,
        candidates.map((each, index) => ({ weight: weights[index]!, forecast: of(each) })),
      ),
      error: weightedError(
        candidates.map((each, index) => ({ weight: weights[index]!, error: errorBeside(each, at) })),
      ),
      change: seasonalNaiveScale(known, period),
      observations: known.length,
    };
    const wideningBy = ({ widths }: IntervalSide) => widths && wideningOf(width, evidence, widths);
    const above = wideningBy(upper);
    const widening = { lower: lower === upper ? above : wideningBy(lower), upper: above };
    return {
      widening,
      intervals: combinedIntervals(center, standardErrors, {
        levels,
        nonNegative,
        lower: { factors: lower.factors, widening: widening.lower },
        upper: { factors: upper.factors, widening: widening.upper },
      }),
    };
  };
  return {
    sources: sources.map(({ entry }) => entry.key),
    ...around(point, ({ forecast }) => forecast, null),
    intervalsAtOrigins: atOrigins.map(
      (center, at) => around(center, (each) => each.atOrigins[at]!, at).intervals,
    ),
  };
}

/** Returns the mean error of a method at the origins other than `at`; null if there is none. */
function errorBeside({ error, errors }: Candidate, at: number | null): number | null {
  if (at === null) return error;
  const others = errors.filter((each, index): each is number => index !== at && each !== null);
  return others.length > 0 ? others.reduce((sum, each) => sum + each, 0) / others.length : null;
}
