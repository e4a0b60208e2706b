const TWO_TO_26 = 67108864;
const TWO_TO_MINUS_52 = 1 / 4503599627370496;

/**
 * Returns a uniform in the open interval (0, 1) from two random words: `((a >>> 6) * 2^26 + (b >>> 6) + 0.5) * 2^-52`.
 *
 * Range: `a` and `b` are 32-bit words (signed or unsigned). The result is on the grid of odd multiples of 2^-53, from
 * 2^-53 to 1 - 2^-53, every value exact and equally likely. For a uniform `u`, `1 - u` is exact and on the grid too, so
 * antithetic pairs are exact. A block `[w0, w1, w2, w3]` gives two uniforms: from `(w0, w1)` and from `(w2, w3)`.
 * Never throws.
 * Source: recipe `rng-philox4x32-10/1`. The result has 52 random bits and not 53, because 53 bits plus one half can
 * round to 1.
 *
 * @example
 * uniform52(0, 0); // 2^-53
 * uniform52(0x80000000, 0); // 0.5 + 2^-53
 */
export function uniform52(a: number, b: number): number {
  return ((a >>> 6) * TWO_TO_26 + (b >>> 6) + 0.5) * TWO_TO_MINUS_52;
}
