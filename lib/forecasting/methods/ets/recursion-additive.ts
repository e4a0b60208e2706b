import type { EtsRun } from './ets-run.ts';

/**
 * Computes the recursion of a model with an additive season of m values over the series: q = l + phi b, f = q + s(t-m),
 * e = y - f, l' = q + alpha e, b' = phi b + beta e, s(t) = s(t-m) + gamma e. Source: see `passPlain`.
 */
export function passAdditive(run: EtsRun): boolean {
  const { y, n, period, alpha, beta, gamma, phi, errors, slopes, seasons } = run;
  let [level, slope] = [run.level, run.slope];
  for (let t = 0; t < n; t += 1) {
    const damped = phi * slope;
    const trend = level + damped;
    const season = seasons[t]!;
    const error = y[t]! - trend - season;
    errors[t] = error;
    slopes[t] = slope;
    level = trend + alpha * error;
    slope = damped + beta * error;
    seasons[t + period] = season + gamma * error;
  }
  run.lastLevel = level;
  run.lastSlope = slope;
  return true;
}

/**
 * Computes the adjoint of `passAdditive`: propagates the derivatives with respect to errors and forecasts back to the
 * parameters.
 */
export function returnAdditive(run: EtsRun): void {
  const { n, period, alpha, beta, gamma, phi, errors, slopes, byError, byForecast, bySeasons } = run;
  let [byLevel, bySlope, byAlpha, byBeta, byGamma, byPhi] = [0, 0, 0, 0, 0, 0];
  bySeasons.fill(0, n, n + period);
  for (let t = n - 1; t >= 0; t -= 1) {
    const error = errors[t]!;
    const ofSeason = bySeasons[t + period]!;
    byAlpha += byLevel * error;
    byBeta += bySlope * error;
    byGamma += ofSeason * error;
    const ofError = alpha * byLevel + beta * bySlope + gamma * ofSeason + byError[t]!;
    const ofForecast = byForecast[t]! - ofError;
    const ofTrend = byLevel + ofForecast;
    bySeasons[t] = ofSeason + ofForecast;
    const ofDamped = bySlope + ofTrend;
    byPhi += slopes[t]! * ofDamped;
    byLevel = ofTrend;
    bySlope = phi * ofDamped;
  }
  run.byAlpha = byAlpha;
  run.byBeta = byBeta;
  run.byGamma = byGamma;
  run.byPhi = byPhi;
  run.byLevel = byLevel;
  run.bySlope = bySlope;
}
