import { isIntermittent } from '#lib/forecasting/methods/intermittent/demands.ts';
import type { Series } from '#lib/forecasting/methods/method.ts';
import { featureWeights } from './feature-weights.ts';
import type { ForecastModel } from './forecast-models.ts';
import type { Frequency } from './forecast-series.types.ts';
import { learnedOf } from './learned-constants.ts';
import { seriesFeatures } from './series-features.ts';

/**
 * Prior weights for series with many zeros, for which there was no training data. The methods for intermittent series
 * and simple smoothing get the same weight, except for the biased method of Croston, which gets half. Source: Teunter
 * and Duncan, "Forecasting intermittent demand: a comparative study", Journal of the Operational Research Society 60
 * (2009), which finds these methods better than Croston's.
 */
const intermittentPriors: Readonly<Record<string, number>> = { ses: 1, croston: 0.5, sba: 1, tsb: 1 };

/** Returns the prior weights by method key, before the backtest. Methods that are absent have weight 0. */
export function priorsOf(
  frequency: Frequency,
  series: Series,
  model: ForecastModel,
): Readonly<Record<string, number>> {
  if (isIntermittent(series.values)) return intermittentPriors;
  const { weights, shares } = learnedOf({ frequency, observations: series.values.length }, model);
  return weights ? featureWeights(weights, seriesFeatures(series)) : shares;
}
