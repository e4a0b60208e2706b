import type { WeightModel } from './feature-weights.ts';
import { FORECAST_MODEL, type ForecastModel } from './forecast-models.ts';
import type { Frequency } from './forecast-series.types.ts';
import type { WidthModel } from './interval-widening.ts';
import ofVersion1 from './learned-constants-v1.json' with { type: 'json' };
import ofVersion2 from './learned-constants-v2.json' with { type: 'json' };

/** Factors of the mean half-width by level, in per cent, ascending. */
export type IntervalFactors = readonly { level: number; factor: number }[];

/**
 * The learned constants of a frequency. `shares` are the mean weights of the methods over the training series.
 * `weights` is null if the weights of the frequency do not depend on features. `widths` is null for version 1, whose
 * intervals have no widening.
 */
export type Learned = {
  weights: WeightModel | null;
  shares: Readonly<Record<string, number>>;
  factors: IntervalFactors;
  widths: WidthModel | null;
};

/**
 * Returns the weights and interval constants of a frequency, made by `test/bench/forecast/learn-constants.ts`. Daily
 * series have the shares of monthly series and the interval constants of weekly series, because there were no daily
 * training series. In version 1, weekly and hourly series also have the shares of monthly series.
 */
export function learnedOf(frequency: Frequency, model: ForecastModel = FORECAST_MODEL): Learned {
  return model === 'svc_forecast_combination_v1' ? learned1(frequency) : learned2(frequency);
}

function learned1(frequency: Frequency): Learned {
  if (frequency === 'yearly' || frequency === 'quarterly' || frequency === 'monthly')
    return { ...ofVersion1[frequency], widths: null };
  const { factors } = ofVersion1[frequency === 'hourly' ? 'hourly' : 'weekly'];
  return { weights: null, shares: ofVersion1.monthly.shares, factors, widths: null };
}

function learned2(frequency: Frequency): Learned {
  if (frequency === 'weekly' || frequency === 'hourly') return { weights: null, ...ofVersion2[frequency] };
  if (frequency === 'daily')
    return { ...ofVersion2.weekly, weights: null, shares: ofVersion2.monthly.shares };
  return ofVersion2[frequency];
}
