import { averageRanks } from '../average-ranks.ts';
import { logGamma } from '../distributions/log-gamma.ts';
import { exp } from '../exponential.ts';

/**
 * Returns the two-sample Cramer-von Mises statistic T of ascending samples, and its p-value by the limit distribution,
 * corrected to the mean and the variance of T at these sizes. The p-value is computed as 1 minus a probability, so
 * values below 1e-12 are rounding errors.
 *
 * Errors: `RangeError` with fewer than two values on a side.
 * Source: Anderson, "On the Distribution of the Two-Sample Cramer-von Mises Criterion" (1962); Anderson and Darling
 * (1952), equation 1.2, for the limit.
 *
 * Example: for [1, 2] against [1.5, 2.5, 3.5] T is 0.2 and p 0.34255799272738063.
 */
export function cramerVonMises(
  reference: ArrayLike<number>,
  current: ArrayLike<number>,
): { t: number; p: number } {
  const n = reference.length;
  const m = current.length;
  if (n < 2 || m < 2) throw new RangeError('a test needs at least two values in each sample');
  const ranks = averageRanks([...Array.from(reference), ...Array.from(current)]);
  const u = n * squaresOf(ranks.subarray(0, n)) + m * squaresOf(ranks.subarray(n));
  const [k, size] = [n * m, n + m];
  const t = u / (k * size) - (4 * k - 1) / (6 * size);
  const expected = (1 + 1 / size) / 6;
  const variance = ((size + 1) * (4 * k * size - 3 * (n * n + m * m) - 2 * k)) / (45 * size * size * 4 * k);
  const limit = 1 / 6 + (t - expected) / Math.sqrt(45 * variance);
  return { t, p: limit < 0.003 ? 1 : Math.max(0, 1 - limitCdf(limit)) };
}

function squaresOf(ranks: Float64Array): number {
  let squares = 0;
  for (let at = 0; at < ranks.length; at += 1) squares += (ranks[at]! - at - 1) * (ranks[at]! - at - 1);
  return squares;
}

const PI_TO_THREE_HALVES = 5.568327996831708;

function limitCdf(x: number): number {
  let total = 0;
  for (let k = 0; k < 40; k += 1) {
    const y = 4 * k + 1;
    const q = (y * y) / (16 * x);
    const weight = exp(logGamma(k + 0.5) - logGamma(k + 1)) / (PI_TO_THREE_HALVES * Math.sqrt(x));
    const term = weight * Math.sqrt(y) * scaledBessel(q);
    total += term;
    if (Math.abs(term) < 1e-20 * Math.abs(total)) break;
  }
  return total;
}

const STEP = 1 / 64;

/** Returns exp(-q) K_1/4(q), the integral of exp(-q - q cosh t) cosh(t / 4) over t from 0, by the trapezoidal rule. */
function scaledBessel(q: number): number {
  let total = exp(-2 * q) / 2;
  for (let t = STEP; ; t += STEP) {
    const exponent = -q * (1 + (exp(t) + exp(-t)) / 2);
    if (exponent < -745) break;
    total += (exp(exponent) * (exp(t / 4) + exp(-t / 4))) / 2;
  }
  return total * STEP;
}
