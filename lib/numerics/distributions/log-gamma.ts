import { ln } from '../natural-log.ts';

const HALF_LN_TWO_PI = 0.91893853320467274178;
const SHIFT_BELOW = 15;
/** Coefficients of Stirling's series: B_2k / (2k (2k - 1)) for k = 1 to 8, with the Bernoulli numbers B_2k. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];

/**
 * Returns the natural logarithm of the gamma function of a positive number.
 *
 * Range: x > 0; anything else gives NaN. Error: about 1e-15 of the largest term, so absolute 1e-15 near 1 and 2.
 * Never throws.
 * Source: Stirling's series, Abramowitz and Stegun 6.1.41, after shifting small arguments by 6.1.15.
 *
 * Example: `logGamma(5)` is 3.1780538303479458, which is ln 24.
 */
export function logGamma(x: number): number {
  if (!(x > 0)) return Number.NaN;
  let shifted = x;
  let product = 1;
  while (shifted < SHIFT_BELOW) {
    product *= shifted;
    shifted += 1;
  }
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  let series = 0;
  for (let k = STIRLING.length - 1; k >= 0; k -= 1) series = series * square + STIRLING[k]!;
  return (shifted - 0.5) * ln(shifted) - shifted + HALF_LN_TWO_PI + series * inverse - ln(product);
}

/** Returns ln of the binomial coefficient n over k, for integers 0 <= k <= n. Example: `logChoose(5, 2)` is ln 10. */
export function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}
