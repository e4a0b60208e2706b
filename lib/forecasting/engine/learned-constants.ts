import type { WeightModel } from './feature-weights.ts';
import { FORECAST_MODEL, type ForecastModel } from './forecast-models.ts';
import type { Frequency } from './forecast-series.types.ts';
import type { WidthModel } from './interval-widening.ts';
import ofVersion1 from './learned-constants-v1.json' with { type: 'json' };
import ofVersion2 from './learned-constants-v2.json' with { type: 'json' };
import ofVersion3 from './learned-constants-v3.json' with { type: 'json' };
import ofVersion4 from './learned-constants-v4.json' with { type: 'json' };

/** Factors of the mean half-width by level, in per cent, ascending. */
export type IntervalFactors = readonly { level: number; factor: number }[];

/**
 * The constants of one side of the intervals. `widths` is null for version 1, whose intervals have no widening.
 */
export type IntervalSide = { factors: IntervalFactors; widths: WidthModel | null };

/**
 * The learned constants of a frequency. `shares` are the mean weights of the methods over the training series.
 * `weights` is null if the weights of the frequency do not depend on features. `lower` and `upper` are the constants of
 * the two sides of the intervals; they are the same object if the intervals are symmetric.
 */
export type Learned = {
  weights: WeightModel | null;
  shares: Readonly<Record<string, number>>;
  lower: IntervalSide;
  upper: IntervalSide;
};

/** The series that constants are needed for. `observations`: its number of values. */
export type LearnedFor = { frequency: Frequency; observations: number };

/**
 * Returns the weights and interval constants of a series, made by `test/bench/forecast/learn-constants.ts`. From version
 * 3 on, weights of monthly series also depend on the number of values. In version 4, the intervals of yearly, quarterly
 * and monthly series have different constants for each side. Daily series have the shares
 * of monthly series and the interval constants of weekly series, because there were no daily training series. In version
 * 1, weekly and hourly series also have the shares of monthly series.
 */
export function learnedOf(
  { frequency, observations }: LearnedFor,
  model: ForecastModel = FORECAST_MODEL,
): Learned {
  if (model === 'svc_forecast_combination_v1') return learned1(frequency);
  if (model === 'svc_forecast_combination_v2') return learned2(frequency);
  if (model === 'svc_forecast_combination_v3' || !isLearnedAlone(frequency))
    return learned3(frequency, observations);
  const { weights, ...learned } = ofVersion4[frequency];
  return { ...learned, weights: ofLength(weights, observations).model };
}

/** Returns the mean weights of the methods over the training series of a frequency, for the newest model. */
export function sharesOf(frequency: Frequency): Readonly<Record<string, number>> {
  return learnedOf({ frequency, observations: 0 }).shares;
}

/** Whether a frequency has training series other than those that forecasts are measured on. */
function isLearnedAlone(frequency: Frequency): frequency is 'yearly' | 'quarterly' | 'monthly' {
  return frequency === 'yearly' || frequency === 'quarterly' || frequency === 'monthly';
}

/** Returns constants whose intervals are symmetric. */
function symmetric({
  weights,
  shares,
  factors,
  widths,
}: Pick<Learned, 'weights' | 'shares'> & IntervalSide): Learned {
  const side = { factors, widths };
  return { weights, shares, lower: side, upper: side };
}

function learned1(frequency: Frequency): Learned {
  if (isLearnedAlone(frequency)) return symmetric({ ...ofVersion1[frequency], widths: null });
  const { factors } = ofVersion1[frequency === 'hourly' ? 'hourly' : 'weekly'];
  return symmetric({ weights: null, shares: ofVersion1.monthly.shares, factors, widths: null });
}

function learned2(frequency: Frequency): Learned {
  if (frequency === 'weekly' || frequency === 'hourly')
    return symmetric({ weights: null, ...ofVersion2[frequency] });
  if (frequency === 'daily')
    return symmetric({ ...ofVersion2.weekly, weights: null, shares: ofVersion2.monthly.shares });
  return symmetric(ofVersion2[frequency]);
}

function learned3(frequency: Frequency, observations: number): Learned {
  if (!isLearnedAlone(frequency)) return learned2(frequency);
  const { shares, weights, factors, widths } = ofVersion3[frequency];
  return symmetric({ shares, weights: ofLength(weights, observations).model, factors, widths });
}

/** Returns the class of a length: the first class whose largest number of values is not exceeded. */
function ofLength<Class extends { observations_max: number | null }>(
  classes: readonly Class[],
  observations: number,
): Class {
  return classes.find(({ observations_max: max }) => max === null || observations <= max)!;
}
