import type { WeightModel } from './feature-weights.ts';
import type { Frequency } from './forecast-series.types.ts';
import learned from './learned-constants.json' with { type: 'json' };

/** What the mean half-width is multiplied by at each level, in per cent, ascending. */
export type IntervalFactors = readonly { level: number; factor: number }[];

/**
 * `shares`: what the weights of methods come to on the mean of the series they were learned on. `weights`: null where
 * there were no series of the frequency to learn from.
 */
export type Learned = {
  weights: WeightModel | null;
  shares: Readonly<Record<string, number>>;
  factors: IntervalFactors;
};

/**
 * Weights and interval factors of a frequency, as `test/bench/forecast/learn-constants.ts` made them. Weekly, daily and
 * hourly series take the shares of monthly ones, and daily ones the factors of weekly ones.
 */
export function learnedOf(frequency: Frequency): Learned {
  if (frequency === 'yearly' || frequency === 'quarterly' || frequency === 'monthly')
    return learned[frequency];
  const { factors } = learned[frequency === 'hourly' ? 'hourly' : 'weekly'];
  return { weights: null, shares: learned.monthly.shares, factors };
}
