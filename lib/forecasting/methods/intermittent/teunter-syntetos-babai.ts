import type { ForecastMethod } from '../method.ts';
import { scaleToUnit } from '../unit-scale.ts';
import { bestSmoothing, squaredRateErrors, type Smoothing } from './croston.ts';
import { demandsOf, isIntermittent } from './demands.ts';

/**
 * Returns the demand per period: the smoothed size of demands times the smoothed probability of a demand. The
 * probability falls in every period without demand, so the forecast of an obsolete product fades to 0.
 *
 * The smoothed size starts with the first demand, and the probability with the share of periods that have a demand.
 * `intervals` is the smoothing parameter of the probability. Without any demand the rate is 0.
 * Source: Teunter, Syntetos and Babai, "Intermittent demand: linking forecasting to inventory obsolescence", European
 * Journal of Operational Research 214 (2011).
 */
export function fadingRate(values: Float64Array, smoothing: Smoothing, rates?: Float64Array): number {
  const { sizes } = demandsOf(values);
  if (sizes.length === 0) return 0;
  let size = sizes[0]!;
  let probability = sizes.length / values.length;
  values.forEach((value, t) => {
    if (rates) rates[t] = size * probability;
    if (value !== 0) size += smoothing.sizes * (value - size);
    probability += smoothing.intervals * ((value === 0 ? 0 : 1) - probability);
  });
  return size * probability;
}

/** The method of Teunter, Syntetos and Babai. */
export const teunterSyntetosBabai: ForecastMethod = {
  key: 'tsb',
  serves: ({ values }) => isIntermittent(values),
  choose: () => ({ name: 'tsb' }),
  fit: ({ values: given }) => {
    const { values, unit } = scaleToUnit(given);
    const rates = new Float64Array(values.length);
    const smoothing = bestSmoothing((tried) => {
      fadingRate(values, tried, rates);
      return squaredRateErrors(values, rates, 1);
    });
    const rate = fadingRate(values, smoothing) * unit;
    return {
      parameters: { alpha_size: smoothing.sizes, alpha_probability: smoothing.intervals },
      forecast: (horizon) => ({ point: new Float64Array(horizon).fill(rate) }),
    };
  },
};
