import type { EtsRun } from './ets-run.ts';

/** Minimum level and season of a positive series. */
const STATE_MIN = 1e-8;

/**
 * Computes the recursion of a model with a multiplicative season of m values over a positive series: q = l + phi b, f =
 * q s(t-m), e = y - f, l' = q + alpha e / s, b' = phi b + beta e / s, s(t) = s(t-m) + gamma e / q. Returns false as
 * soon as level or season is not positive. Source: see `passPlain`.
 */
export function passMultiplicative(run: EtsRun): boolean {
  const { y, n, period, alpha, beta, gamma, phi, errors, slopes, trends, seasons } = run;
  let [level, slope] = [run.level, run.slope];
  for (let t = 0; t < n; t += 1) {
    const damped = phi * slope;
    const trend = level + damped;
    const season = seasons[t]!;
    if (!(trend > STATE_MIN && season > STATE_MIN)) return false;
    const error = y[t]! - trend * season;
    const ofLevel = error / season;
    errors[t] = error;
    slopes[t] = slope;
    trends[t] = trend;
    level = trend + alpha * ofLevel;
    slope = damped + beta * ofLevel;
    seasons[t + period] = season + (gamma * error) / trend;
  }
  run.lastLevel = level;
  run.lastSlope = slope;
  return true;
}

/**
 * Computes the adjoint of `passMultiplicative`: propagates the derivatives with respect to errors and forecasts back to
 * the parameters.
 */
export function returnMultiplicative(run: EtsRun): void {
  const { n, period, alpha, beta, gamma, phi, errors, slopes, trends, seasons } = run;
  const { byError, byForecast, bySeasons } = run;
  let [byLevel, bySlope, byAlpha, byBeta, byGamma, byPhi] = [0, 0, 0, 0, 0, 0];
  bySeasons.fill(0, n, n + period);
  for (let t = n - 1; t >= 0; t -= 1) {
    const error = errors[t]!;
    const season = seasons[t]!;
    const trend = trends[t]!;
    const ofSeason = bySeasons[t + period]!;
    const levelError = error / season;
    const seasonError = error / trend;
    byAlpha += byLevel * levelError;
    byBeta += bySlope * levelError;
    byGamma += ofSeason * seasonError;
    const perLevelError = (alpha * byLevel + beta * bySlope) / season;
    const perSeasonError = (gamma * ofSeason) / trend;
    const ofForecast = byForecast[t]! - perLevelError - perSeasonError - byError[t]!;
    const ofTrend = byLevel - perSeasonError * seasonError + ofForecast * season;
    bySeasons[t] = ofSeason - perLevelError * levelError + ofForecast * trend;
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
