import { onAdjusted } from './adjusted-method.ts';
import { errorVariance } from './ets/error-variance.ts';
import { estimateEts } from './ets/estimate-ets.ts';
import type { Fit } from './method.ts';

/** The Theta method on the seasonally adjusted series. */
export const theta = onAdjusted({ key: 'theta', observationsMin: 2, estimate: fitTheta });

/** The Theta method on the Box-Cox transform of the seasonally adjusted series. */
export const thetaBoxCox = onAdjusted({
  key: 'theta_box_cox',
  observationsMin: 2,
  hasBoxCox: true,
  estimate: fitTheta,
});

/**
 * Fits simple exponential smoothing with half the slope of the straight line through all values as its drift: f_h = l_n
 * + b/2 (h - 1 + (1 - (1 - alpha)^n) / alpha), standard errors sigma sqrt(1 + (h - 1) alpha^2).
 *
 * Source: Assimakopoulos and Nikolopoulos, International Journal of Forecasting 16 (2000) 521-530, in the form of
 * Hyndman and Billah, "Unmasking the Theta method", International Journal of Forecasting 19 (2003) 287-290.
 */
export function fitTheta(values: Float64Array): Fit {
  const n = values.length;
  const estimate = estimateEts(values, 1, { name: 'ets', error: 'A', trend: 'N', season: 'N' });
  const { alpha, lastLevel } = estimate.run;
  const half = slopeOf(values) / 2;
  let remains = 1;
  for (let t = 0; t < n; t += 1) remains *= 1 - alpha;
  const sigma = Math.sqrt(errorVariance(estimate));
  return {
    parameters: { alpha, drift: half },
    logLikelihood: -0.5 * estimate.objective,
    forecast: (horizon) => {
      const point = new Float64Array(horizon);
      const standardErrors = new Float64Array(horizon);
      for (let h = 0; h < horizon; h += 1) {
        point[h] = lastLevel + half * (h + (1 - remains) / alpha);
        standardErrors[h] = sigma * Math.sqrt(1 + h * alpha * alpha);
      }
      return { point, standardErrors };
    },
  };
}

/** Returns the slope of the least-squares line through the values in order; 0 for one value. */
function slopeOf(values: Float64Array): number {
  const n = values.length;
  if (n < 2) return 0;
  const middle = (n - 1) / 2;
  let sum = 0;
  for (let t = 0; t < n; t += 1) sum += (t - middle) * values[t]!;
  return sum / ((n * (n * n - 1)) / 12);
}
