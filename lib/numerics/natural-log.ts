/** ln 2 in two parts: the first has 21 trailing zero bits, so `e * LN2_HIGH` is exact for every exponent e. */
const LN2_HIGH = 0.69314718036912381649; // bits 3fe62e42fee00000
const LN2_LOW = 1.90821492927058770002e-10; // bits 3dea39ef35793c76
const SQRT2 = 1.4142135623730951; // bits 3ff6a09e667f3bcd
const TWO_TO_54 = 18014398509481984;
const EXPONENT_BIAS = 1023;
const bits = new DataView(new ArrayBuffer(8));

/**
 * Returns the natural logarithm from exactly specified operations only, with the same bits on every platform.
 *
 * Range: every double. `ln(0)` and `ln(-0)` are -Infinity, a negative number or NaN gives NaN, Infinity gives Infinity,
 * `ln(1)` is +0, subnormal numbers are scaled exactly first. Error: at most 1.99 units in the last place, measured
 * against 300-bit arithmetic at two million points. The largest error occurs for x just above 1, from the rounding of
 * s; for |ln x| > 1 the error is at most 0.9. Never throws. Source: recipe `rng-philox4x32-10/1`. x = m 2^e with m in
 * (sqrt(2)/2, sqrt(2)], s = (m - 1)/(m + 1), ln m = 2 artanh s = 2s + 2s (s^2/3 + s^4/5 + ... + s^22/23) (Abramowitz
 * and Stegun, 4.1.27, truncated after eleven terms); ln 2 is split in two parts as in the FreeBSD `e_log.c`.
 *
 * @example
 * ln(10); // 2.302585092994046
 */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN;
  if (x === Infinity) return Infinity;
  let exponent = 0;
  let scaled = x;
  if (x < 2.2250738585072014e-308) {
    scaled = x * TWO_TO_54;
    exponent = -54;
  }
  bits.setFloat64(0, scaled);
  const top = bits.getUint32(0);
  exponent += (top >>> 20) - EXPONENT_BIAS;
  bits.setUint32(0, (top & 0xfffff) | (EXPONENT_BIAS << 20));
  let m = bits.getFloat64(0);
  if (m > SQRT2) {
    m *= 0.5;
    exponent += 1;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  return exponent * LN2_HIGH + (2 * s + (2 * s * z * artanhSeries(z) + exponent * LN2_LOW));
}

/** Returns `1/3 + z/5 + z^2/7 + ... + z^10/23`, by Horner's rule from the last term. */
function artanhSeries(z: number): number {
  let p = 1 / 23;
  p = p * z + 1 / 21;
  p = p * z + 1 / 19;
  p = p * z + 1 / 17;
  p = p * z + 1 / 15;
  p = p * z + 1 / 13;
  p = p * z + 1 / 11;
  p = p * z + 1 / 9;
  p = p * z + 1 / 7;
  p = p * z + 1 / 5;
  return p * z + 1 / 3;
}
