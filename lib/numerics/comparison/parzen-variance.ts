import { mean } from '../descriptive.ts';
import { exp } from '../exponential.ts';
import { ln } from '../natural-log.ts';

const CONSTANT = 2.6614;
/** Autocorrelations are limited to this absolute value, so that the bandwidth is finite. */
const AUTOCORRELATION_MAX = 0.97;

/**
 * Returns the long-run variance of a series with the Parzen kernel: the variance of the mean times n. The bandwidth is
 * 2.6614 (4 a^2 / (1 - a)^4 n)^(1/5), with the autocorrelation a of an autoregression of order 1, at most 0.97 in
 * absolute value. The bandwidth is at most n. The result is not negative. Autocovariances are divided by n.
 *
 * `values`: n numbers; the result is in their squared unit. Throws a `RangeError` without values.
 * Source: Andrews, "Heteroskedasticity and Autocorrelation Consistent Covariance Matrix Estimation" (Econometrica
 * 1991), equations 6.2 and 6.4, and table I.
 *
 * Example: for [1, -1, 1, -1] the bandwidth is 2.64 and the result is 0.3308.
 */
export function parzenVariance(values: ArrayLike<number>): number {
  const centre = mean(values);
  const centred = Float64Array.from(values, (each) => each - centre);
  const variance = autocovariance(centred, 0);
  if (!(variance > 0)) return 0;
  const bandwidth = bandwidthOf(autocovariance(centred, 1) / variance, centred.length);
  let longRun = variance;
  for (let lag = 1; lag < Math.min(bandwidth, centred.length); lag += 1)
    longRun += 2 * parzen(lag / bandwidth) * autocovariance(centred, lag);
  return Math.max(0, longRun);
}

function bandwidthOf(autocorrelation: number, n: number): number {
  const a = Math.max(-AUTOCORRELATION_MAX, Math.min(AUTOCORRELATION_MAX, autocorrelation));
  const gap = (1 - a) * (1 - a);
  const product = ((4 * a * a) / (gap * gap)) * n;
  return product > 0 ? Math.min(n, CONSTANT * exp(ln(product) / 5)) : 0;
}

/** The Parzen kernel on 0 to 1. */
function parzen(x: number): number {
  const rest = 1 - x;
  return x <= 0.5 ? 1 - 6 * x * x * rest : 2 * rest * rest * rest;
}

function autocovariance(centred: Float64Array, lag: number): number {
  let products = 0;
  for (let t = lag; t < centred.length; t += 1) products += centred[t]! * centred[t - lag]!;
  return products / centred.length;
}
