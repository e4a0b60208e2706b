import type { Forecast } from '../method.ts';
import type { EtsEstimate } from './estimate-ets.ts';
import { errorVariance } from './error-variance.ts';
import { forecastByMoments } from './forecast-by-moments.ts';
import { varianceOfLinear } from './variance-of-linear.ts';

/**
 * Returns point forecasts of a fitted model and their standard errors. The points are the means of the forecast
 * distribution; with an additive error and a multiplicative season, only to first order. The standard errors are exact
 * with an additive error and an additive or no season (class 1 of Hyndman et al.), with a multiplicative error and an
 * additive or no season (class 2), and with a multiplicative error and season (class 3). With an additive error and a
 * multiplicative season, the standard errors are linearised.
 *
 * Source: Hyndman, Koehler, Ord and Snyder, "Prediction intervals for exponential smoothing using two new classes of
 * state space models", Journal of Forecasting 24 (2005) 17-37.
 */
export function forecastEts(estimate: EtsEstimate, horizon: number): Forecast {
  const { form, run } = estimate;
  const variance = errorVariance(estimate);
  if (form.error === 'M' && form.season === 'M') return forecastByMoments(run, variance, horizon);
  const trend = trendAhead(estimate, horizon);
  const seasons = run.seasons.subarray(run.n);
  const point = new Float64Array(horizon);
  for (let h = 0; h < horizon; h += 1) {
    const season = form.season === 'N' ? 0 : seasons[h % run.period]!;
    point[h] = form.season === 'M' ? trend[h]! * season : trend[h]! + season;
  }
  const variances = varianceOfLinear(run, form, { variance, trend, point });
  return { point, standardErrors: variances.map((value) => Math.sqrt(Math.max(0, value))) };
}

/** Returns the level plus damped slope for each period ahead. */
function trendAhead({ run }: EtsEstimate, horizon: number): Float64Array {
  const trend = new Float64Array(horizon);
  let [level, slope] = [run.lastLevel, run.lastSlope];
  for (let h = 0; h < horizon; h += 1) {
    slope *= run.phi;
    level += slope;
    trend[h] = level;
  }
  return trend;
}
