import { exp } from '../exponential.ts';
import { ln } from '../natural-log.ts';

/** The smallest number of values for which the autocorrelations of the rule are defined. */
export const BLOCK_LENGTH_VALUES_MIN = 12;
/** Number of consecutive autocorrelations that must be small. */
const SMALL_MIN = 5;

/**
 * Returns the block lengths that minimise the mean squared error of the variance of the mean of a series, for the
 * stationary bootstrap (a mean length) and for the circular bootstrap.
 *
 * Shapes: `values` is a series in order of time, at least 12 values. Unit of the lengths: values. A length can be below
 * 1; a bootstrap then uses 1. A series that does not vary has the lengths 1.
 * Errors: `RangeError` with fewer than 12 values.
 * Source: Politis and White, "Automatic block-length selection for the dependent bootstrap", Econometric Reviews 23
 * (2004), with the correction of Patton, Politis and White, Econometric Reviews 28 (2009). The number of lags follows
 * the rule of their section 3.2 with c = 2, and the lengths are at most ceil(min(3 sqrt n, n / 3)).
 *
 * @example
 * optimalBlockLength(Float64Array.from({ length: 40 }, (_, t) => t % 2)).circular; // 14, the largest for 40 values
 */
export function optimalBlockLength(values: Float64Array): { stationary: number; circular: number } {
  const n = values.length;
  if (n < BLOCK_LENGTH_VALUES_MIN)
    throw new RangeError(`a block length needs at least ${BLOCK_LENGTH_VALUES_MIN} values, got ${n}`);
  const deviations = deviationsOf(values);
  if (deviations.every((each) => each === 0)) return { stationary: 1, circular: 1 };
  const { covariances, lags } = flatTopLags(deviations);
  let spectrum = covariances[0]!;
  let slope = 0;
  for (let lag = 1; lag <= lags; lag += 1) {
    const weight = 2 * lag <= lags ? 1 : 2 * (1 - lag / lags);
    slope += 2 * weight * lag * covariances[lag]!;
    spectrum += 2 * weight * covariances[lag]!;
  }
  const most = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3));
  const lengthFor = (factor: number) =>
    Math.min(most, cubeRoot(((2 * slope * slope) / (factor * spectrum * spectrum)) * n));
  return { stationary: lengthFor(2), circular: lengthFor(4 / 3) };
}

/** Returns the deviations from the mean, each exactly 0 if all values are equal. */
function deviationsOf(values: Float64Array): Float64Array {
  const first = values[0]!;
  let total = 0;
  for (const value of values) total += value - first;
  const mean = total / values.length;
  return values.map((value) => value - first - mean);
}

/**
 * Returns the autocovariances and the bandwidth of the flat-top kernel: twice the lag after which at least `SMALL_MIN`
 * consecutive autocorrelations are small.
 */
function flatTopLags(deviations: Float64Array): { covariances: Float64Array; lags: number } {
  const n = deviations.length;
  const inSuccession = Math.max(SMALL_MIN, String(n).length - 1);
  const most = Math.ceil(Math.sqrt(n)) + inSuccession;
  const limit = 2 * Math.sqrt(ln(n) / ln(10) / n);
  const covariances = new Float64Array(most + 1);
  let [small, found] = [0, -1];
  for (let lag = 0; lag <= most; lag += 1) {
    // The last `inSuccession` autocorrelations before this lag are small.
    if (found < 0 && small >= inSuccession) found = lag - inSuccession;
    const product = productAt(deviations, lag);
    covariances[lag] = product / n;
    const scale = Math.sqrt(squares(deviations, lag + 1, n) * squares(deviations, 0, n - lag - 1));
    small = Math.abs(product) / scale < limit ? small + 1 : 0;
  }
  return { covariances, lags: found < 0 ? most : Math.min(2 * Math.max(found, 1), most) };
}

function productAt(deviations: Float64Array, lag: number): number {
  let total = 0;
  for (let t = lag; t < deviations.length; t += 1) total += deviations[t]! * deviations[t - lag]!;
  return total;
}

function squares(deviations: Float64Array, from: number, to: number): number {
  let total = 0;
  for (let t = from; t < to; t += 1) total += deviations[t]! * deviations[t]!;
  return total;
}

/** Returns the cube root of a number of at least 0, by a logarithm and one step of Newton. */
function cubeRoot(x: number): number {
  if (x === 0 || x === Infinity || Number.isNaN(x)) return x;
  const root = exp(ln(x) / 3);
  return root - (root * root * root - x) / (3 * root * root);
}
