import type { WeightModel } from './feature-weights.ts';
import type { Frequency } from './forecast-series.types.ts';
import learned from './learned-constants.json' with { type: 'json' };

/** What the mean half-width is multiplied by at each level, in per cent, ascending. */
export type IntervalFactors = readonly { level: number; factor: number }[];

/** `isOfFrequency`: whether they were learned on series of the frequency, or are borrowed from another. */
export type Learned = { weights: WeightModel; factors: IntervalFactors; isOfFrequency: boolean };

/**
 * Weights and interval factors of a frequency, as `test/bench/forecast/learn-constants.ts` made them. There were no
 * weekly, daily or hourly series to learn from: they take what monthly ones have, without a look at their features.
 */
export function learnedOf(frequency: Frequency): Learned {
  const isOfFrequency = frequency === 'yearly' || frequency === 'quarterly' || frequency === 'monthly';
  return { ...learned[isOfFrequency ? frequency : 'monthly'], isOfFrequency };
}
