const EXPONENT_MIN = -1022;
const EXPONENT_MAX = 1023;
const POWERS = tabulate();

/**
 * Returns `2^exponent` as an exact double, from a table filled by exact doubling and halving.
 *
 * Range: integer `exponent` from -1022 to 1023 (normal doubles); outside that, or for a fraction, NaN.
 * Never throws.
 * Source: IEEE 754-2019, binary64: powers of two in this range have a zero significand, so each step is exact.
 *
 * @example
 * powerOfTwo(-3); // 0.125
 */
export function powerOfTwo(exponent: number): number {
  return POWERS[exponent - EXPONENT_MIN] ?? Number.NaN;
}

function tabulate(): Float64Array {
  const powers = new Float64Array(EXPONENT_MAX - EXPONENT_MIN + 1);
  let up = 1;
  for (let exponent = 0; exponent <= EXPONENT_MAX; exponent++, up *= 2) powers[exponent - EXPONENT_MIN] = up;
  let down = 1;
  for (let exponent = 0; exponent >= EXPONENT_MIN; exponent--, down /= 2)
    powers[exponent - EXPONENT_MIN] = down;
  return powers;
}
