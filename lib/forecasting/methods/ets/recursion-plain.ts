import type { EtsRun } from './ets-run.ts';

/**
 * Computes the recursion of a model without season over the series: f = l + phi b, e = y - f, l' = f + alpha e, b' =
 * phi b + beta e. Additive and multiplicative errors have the same forecasts. Without trend: slope 0 and beta 0.
 *
 * Source: Hyndman, Koehler, Ord and Snyder, "Forecasting with Exponential Smoothing" (2008), tables 2.1 to 2.3.
 */
export function passPlain(run: EtsRun): boolean {
  const { y, n, alpha, beta, phi, errors, slopes } = run;
  let [level, slope] = [run.level, run.slope];
  for (let t = 0; t < n; t += 1) {
    const damped = phi * slope;
    const forecast = level + damped;
    const error = y[t]! - forecast;
    errors[t] = error;
    slopes[t] = slope;
    level = forecast + alpha * error;
    slope = damped + beta * error;
  }
  run.lastLevel = level;
  run.lastSlope = slope;
  return true;
}

/**
 * Computes the adjoint of `passPlain`: propagates the derivatives with respect to errors and forecasts back to the
 * parameters.
 */
export function returnPlain(run: EtsRun): void {
  const { n, alpha, beta, phi, errors, slopes, byError, byForecast } = run;
  let [byLevel, bySlope, byAlpha, byBeta, byPhi] = [0, 0, 0, 0, 0];
  for (let t = n - 1; t >= 0; t -= 1) {
    const error = errors[t]!;
    byAlpha += byLevel * error;
    byBeta += bySlope * error;
    const ofError = alpha * byLevel + beta * bySlope + byError[t]!;
    const ofTrend = byLevel - ofError + byForecast[t]!;
    const ofDamped = bySlope + ofTrend;
    byPhi += slopes[t]! * ofDamped;
    byLevel = ofTrend;
    bySlope = phi * ofDamped;
  }
  run.byAlpha = byAlpha;
  run.byBeta = byBeta;
  run.byGamma = 0;
  run.byPhi = byPhi;
  run.byLevel = byLevel;
  run.bySlope = bySlope;
}
