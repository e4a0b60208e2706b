import { nelderMead } from '../nelder-mead.ts';
import type { Fit, ForecastMethod } from '../method.ts';
import { scaleToUnit } from '../unit-scale.ts';
import { demandsOf, isIntermittent } from './demands.ts';

export type Smoothing = { sizes: number; intervals: number };

const BOUNDS = { lower: [0.01, 0.01], upper: [0.5, 0.5] };

/**
 * Returns the demand per period by Croston's method: the smoothed size of demands divided by the smoothed interval
 * between demands, for all future periods. `rates[t]`, if given, receives the forecast of value t made one period
 * before.
 *
 * The smoothed size starts with the first demand, and the smoothed interval with the first interval. Without any demand
 * the rate is 0.
 * Source: Croston, "Forecasting and stock control for intermittent demands", Operational Research Quarterly 23 (1972).
 *
 * @example
 * crostonRate(Float64Array.of(0, 2, 0, 2), { sizes: 0.1, intervals: 0.1 }); // 1
 */
export function crostonRate(values: Float64Array, smoothing: Smoothing, rates?: Float64Array): number {
  const { sizes, intervals } = demandsOf(values);
  if (sizes.length === 0) return 0;
  let size = sizes[0]!;
  let interval = intervals[0]!;
  let demand = 0;
  values.forEach((value, t) => {
    if (rates) rates[t] = size / interval;
    if (value === 0) return;
    size += smoothing.sizes * (sizes[demand]! - size);
    interval += smoothing.intervals * (intervals[demand]! - interval);
    demand += 1;
  });
  return size / interval;
}

/** Croston's method, without the bias correction by Syntetos and Boylan. */
export const croston = crostonMethod('croston', false);

/**
 * Croston's method with the bias correction: the rate times (1 - a / 2), where a is the smoothing parameter of the
 * intervals. Source: Syntetos and Boylan, "The accuracy of intermittent demand estimates", International Journal of
 * Forecasting 21 (2005).
 */
export const syntetosBoylan = crostonMethod('sba', true);

function crostonMethod(key: string, isCorrected: boolean): ForecastMethod {
  const factor = ({ intervals }: Smoothing): number => (isCorrected ? 1 - intervals / 2 : 1);
  return {
    key,
    serves: ({ values }) => isIntermittent(values),
    choose: () => ({ name: key }),
    fit: ({ values: given }): Fit => {
      const { values, unit } = scaleToUnit(given);
      const rates = new Float64Array(values.length);
      const smoothing = bestSmoothing((tried) => {
        crostonRate(values, tried, rates);
        return squaredRateErrors(values, rates, factor(tried));
      });
      const rate = crostonRate(values, smoothing) * factor(smoothing) * unit;
      return {
        parameters: { alpha_size: smoothing.sizes, alpha_interval: smoothing.intervals },
        forecast: (horizon) => ({ point: new Float64Array(horizon).fill(rate) }),
      };
    },
  };
}

/** Returns the pair of smoothing parameters with the smallest loss. The search starts from 0.1 for each. */
export function bestSmoothing(loss: (smoothing: Smoothing) => number): Smoothing {
  const { x } = nelderMead((at) => loss({ sizes: at[0]!, intervals: at[1]! }), [0.1, 0.1], {
    ...BOUNDS,
    steps: [0.1, 0.1],
  });
  return { sizes: x[0]!, intervals: x[1]! };
}

/**
 * Returns the sum of squared differences between the rates and the mean demand so far. One-step errors are not used,
 * because they would favour forecasts of 0.
 *
 * Source: Kourentzes, "On intermittent demand model optimisation and selection", International Journal of Production
 * Economics 156 (2014), mean squared rate.
 */
export function squaredRateErrors(values: Float64Array, rates: Float64Array, factor: number): number {
  let sum = 0;
  let loss = 0;
  for (let t = 0; t < values.length; t++) {
    sum += values[t]!;
    const error = sum / (t + 1) - rates[t]! * factor;
    loss += error * error;
  }
  return loss;
}
