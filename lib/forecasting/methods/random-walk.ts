import type { Fit } from './method.ts';

/**
 * Forecasts the last value; with drift, adds the mean change for each period ahead. Standard errors are sigma sqrt(h),
 * and with drift sigma sqrt(h (1 + h / (n - 1))). sigma^2 is the mean square of the changes; with drift, the mean
 * square of their deviations from the mean change, with one degree of freedom less. A single value gives no drift and
 * standard errors of 0.
 *
 * Never throws.
 * Source: Hyndman and Athanasopoulos, "Forecasting: Principles and Practice" (3rd ed. 2021), 5.2 and 5.5.
 */
export function randomWalk(values: Float64Array, hasDrift: boolean): Fit {
  const n = values.length;
  const last = values[n - 1]!;
  const slope = hasDrift && n > 1 ? (last - values[0]!) / (n - 1) : 0;
  let squares = 0;
  for (let t = 1; t < n; t += 1) {
    const error = values[t]! - values[t - 1]! - slope;
    squares += error * error;
  }
  const freedom = hasDrift ? n - 2 : n - 1;
  const sigma = freedom > 0 ? Math.sqrt(squares / freedom) : 0;
  return {
    parameters: hasDrift ? { drift: slope } : {},
    forecast: (horizon) => {
      const point = new Float64Array(horizon);
      const standardErrors = new Float64Array(horizon);
      for (let h = 1; h <= horizon; h += 1) {
        point[h - 1] = last + h * slope;
        standardErrors[h - 1] = sigma * Math.sqrt(hasDrift && n > 1 ? h * (1 + h / (n - 1)) : h);
      }
      return { point, standardErrors };
    },
  };
}

/**
 * Forecasts the value one season before. Standard errors are sigma sqrt(k), where k is the number of seasons up to the
 * forecast period, including its own, and sigma^2 is the mean square of the changes from season to season. Needs one
 * season of values. Source: see `randomWalk`.
 */
export function seasonalRandomWalk(values: Float64Array, period: number): Fit {
  const n = values.length;
  let squares = 0;
  for (let t = period; t < n; t += 1) {
    const error = values[t]! - values[t - period]!;
    squares += error * error;
  }
  const sigma = n > period ? Math.sqrt(squares / (n - period)) : 0;
  return {
    parameters: {},
    forecast: (horizon) => {
      const point = new Float64Array(horizon);
      const standardErrors = new Float64Array(horizon);
      for (let h = 0; h < horizon; h += 1) {
        point[h] = values[n - period + (h % period)]!;
        standardErrors[h] = sigma * Math.sqrt(Math.floor(h / period) + 1);
      }
      return { point, standardErrors };
    },
  };
}
