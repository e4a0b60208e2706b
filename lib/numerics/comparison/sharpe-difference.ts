import { cubeRootCeiling } from '../cube-root.ts';
import { PHILOX_DOMAINS } from '../philox.ts';
import { populationMoments } from '../risk/population-moments.ts';
import { uniformStream } from '../uniform-stream.ts';
import { parzenVariance } from './parzen-variance.ts';

export type SharpeDifferenceOptions = {
  /** Returns in a block. Default: the smallest integer whose cube is n or more. */
  block?: number;
  /** Number of bootstrap samples. Default 4,999. */
  resamples?: number;
  /** Seed from 0 to 2^53 - 1. Sample i draws from domain 4, sample i. */
  seed: number;
};

export type SharpeDifference =
  | {
      ok: true;
      /**
       * Per-period Sharpe ratio of the first series minus that of the second, with population deviations.
       */
      difference: number;
      standardError: number;
      /** One-sided p-value: small if the ratio of the first series is larger. From 1 / (resamples + 1) to 1. */
      p: number;
      block: number;
    }
  /**
   * Reason why there is no test. `too_few`: fewer than two blocks. `no_variance`: a series does not vary.
   * `equal_ratios`: the series are proportional, apart from rounding, so that the difference has no variance.
   */
  | { ok: false; reason: 'too_few' | 'no_variance' | 'equal_ratios' };

const RESAMPLES = 4_999;
/** The largest number of resamples. */
export const RESAMPLES_MAX = 100_000;
/** A long-run variance of the difference up to this share of the two variances counts as a rounding error. */
const VARIANCE_MIN = 1e-18;

/**
 * Tests whether the Sharpe ratio of one series is larger than that of another, by a studentised circular block
 * bootstrap. The statistic is the difference over its standard error. The p-value is the share of samples, including
 * the observed one, whose centred statistic is at least the observed one.
 *
 * `first`, `second`: n excess returns of the same periods, fractions. The standard error of the data is the root of the
 * long-run variance of `sharpeInfluence` by the Parzen kernel; that of a sample uses the sums of its blocks. A sample
 * is floor(n / b) blocks of b returns. A sample in which a series does not vary is counted as at least the observed
 * one, which increases the p-value. Errors: `RangeError` on series of different lengths, returns that are not finite, a
 * block that is not an integer of 1 or more, resamples outside 1 to 100,000, and a seed that the random streams refuse.
 * Time: n + resamples x n / b. Source: Ledoit and Wolf, "Robust performance hypothesis testing with the Sharpe ratio"
 * (Journal of Empirical Finance 2008), sections 3.2 and 3.3, one-sided, without prewhitening.
 *
 * Example: if the two series are exchanged, the new p-value is about 1 minus the old p-value.
 */
export function sharpeDifference(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  { block, resamples = RESAMPLES, seed }: SharpeDifferenceOptions,
): SharpeDifference {
  const n = first.length;
  if (second.length !== n)
    throw new RangeError(`${n} returns cannot be compared with ${second.length} returns`);
  const b = block ?? cubeRootCeiling(n);
  checkCount(b, 'block', Number.MAX_SAFE_INTEGER);
  checkCount(resamples, 'resamples', RESAMPLES_MAX);
  const [one, other] = [standardised(first), standardised(second)];
  if (Math.floor(n / b) < 2) return { ok: false, reason: 'too_few' };
  if (one === null || other === null) return { ok: false, reason: 'no_variance' };
  const difference = one.ratio - other.ratio;
  const [own, theirs] = [influences(one), influences(other)];
  const variance = parzenVariance(own.map((each, t) => each - theirs[t]!)) / n;
  if (!(variance * n > VARIANCE_MIN * (square(own) + square(theirs))))
    return { ok: false, reason: 'equal_ratios' };
  const standardError = Math.sqrt(variance);
  const statistic = difference / standardError;
  const bootstrap = blockBootstrap(one, other, b);
  let extreme = 1;
  for (let sample = 0; sample < resamples; sample += 1) {
    const drawn = bootstrap(uniformStream({ seed, domain: PHILOX_DOMAINS.resampling, sample }));
    if (drawn === null || drawn.difference - difference >= statistic * drawn.standardError) extreme += 1;
  }
  return { ok: true, difference, standardError, p: extreme / (resamples + 1), block: b };
}

/** Standardised returns x = (r - mean) / deviation, and the Sharpe ratio mean / deviation (population). */
type Standardised = { x: Float64Array; ratio: number };

function standardised(returns: ArrayLike<number>): Standardised | null {
  const n = returns.length;
  for (let t = 0; t < n; t += 1)
    if (!Number.isFinite(returns[t])) throw new RangeError(`the return ${t} is not finite: ${returns[t]}`);
  if (n === 0) return null;
  const { mean, deviation, skewness } = populationMoments(returns);
  if (skewness === null || !(deviation > 0)) return null;
  return { x: Float64Array.from(returns, (each) => (each - mean) / deviation), ratio: mean / deviation };
}

/** The first-order effect of each return on the Sharpe ratio: x - SR (x^2 - 1) / 2. */
function influences({ x, ratio }: Standardised): Float64Array {
  return x.map((each) => each - (ratio * (each * each - 1)) / 2);
}

type Drawn = { difference: number; standardError: number } | null;

/** Returns a function that draws one sample of blocks and computes its statistic. Null if a series does not vary. */
function blockBootstrap(one: Standardised, other: Standardised, b: number): (uniform: () => number) => Drawn {
  const n = one.x.length;
  const count = Math.floor(n / b);
  const [ofOne, ofOther] = [circularSums(one.x, b), circularSums(other.x, b)];
  const starts = new Int32Array(count);
  return (uniform) => {
    for (let at = 0; at < count; at += 1) starts[at] = Math.floor(uniform() * n);
    const effects = new Float64Array(count);
    const first = ratioOf(one.ratio, ofOne, { starts, b, effects, sign: 1 });
    const second = ratioOf(other.ratio, ofOther, { starts, b, effects, sign: -1 });
    if (first === null || second === null) return null;
    return { difference: first - second, standardError: Math.sqrt(square(effects) / (b * b * count)) };
  };
}

/**
 * Returns the Sharpe ratio of the drawn blocks. Adds the influence of each block on this ratio, times `sign`, to
 * `effects`.
 */
function ratioOf(
  ratio: number,
  { sums, squares }: { sums: Float64Array; squares: Float64Array },
  drawn: { starts: Int32Array; b: number; effects: Float64Array; sign: number },
): number | null {
  const { starts, b, effects, sign } = drawn;
  const count = starts.length * b;
  let [total, totalSquares] = [0, 0];
  for (const start of starts) {
    total += sums[start]!;
    totalSquares += squares[start]!;
  }
  const mean = total / count;
  const variance = totalSquares / count - mean * mean;
  // The variance of a sample is about 1. A variance up to 1e-12 is a rounding error of a constant sample.
  if (!(variance > 1e-12)) return null;
  const deviation = Math.sqrt(variance);
  const own = (ratio + mean) / deviation;
  for (const [at, start] of starts.entries()) {
    const centredSquares = squares[start]! - 2 * mean * sums[start]! + b * mean * mean;
    const effect = (sums[start]! - b * mean) / deviation - (own * (centredSquares / variance - b)) / 2;
    effects[at]! += sign * effect;
  }
  return own;
}

/**
 * Returns the sum of the b values from each start on, and the sum of their squares. The series is circular:
 * after the last value comes the first.
 */
function circularSums(x: Float64Array, b: number): { sums: Float64Array; squares: Float64Array } {
  const [sums, squares] = [new Float64Array(x.length), new Float64Array(x.length)];
  for (let start = 0; start < x.length; start += 1) {
    for (let at = start; at < start + b; at += 1) {
      const value = x[at % x.length]!;
      sums[start]! += value;
      squares[start]! += value * value;
    }
  }
  return { sums, squares };
}

/** Returns the mean square. */
function square(values: Float64Array): number {
  let squares = 0;
  for (const value of values) squares += value * value;
  return squares / values.length;
}

function checkCount(value: number, name: string, max: number): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return;
  throw new RangeError(`${name} must be an integer from 1 to ${max}, got ${value}`);
}
