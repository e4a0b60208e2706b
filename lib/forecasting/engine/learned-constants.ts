import type { WeightModel } from './feature-weights.ts';
import type { Frequency } from './forecast-series.types.ts';
import learned from './learned-constants.json' with { type: 'json' };

/** Factors of the mean half-width by level, in per cent, ascending. */
export type IntervalFactors = readonly { level: number; factor: number }[];

/**
 * The learned constants of a frequency. `shares` are the mean weights of the methods over the training series.
 * `weights` is null if there were no training series of the frequency.
 */
export type Learned = {
  weights: WeightModel | null;
  shares: Readonly<Record<string, number>>;
  factors: IntervalFactors;
};

/**
 * Returns the weights and interval factors of a frequency, made by `test/bench/forecast/learn-constants.ts`. Weekly,
 * daily and hourly series use the shares of monthly series. Daily series use the factors of weekly series.
 */
export function learnedOf(frequency: Frequency): Learned {
  if (frequency === 'yearly' || frequency === 'quarterly' || frequency === 'monthly')
    return learned[frequency];
  const { factors } = learned[frequency === 'hourly' ? 'hourly' : 'weekly'];
  return { weights: null, shares: learned.monthly.shares, factors };
}
