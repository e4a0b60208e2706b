/**
 * Slow reference values in binary fixed point: a **fixed** number is a BigInt that represents itself times
 * 2^-bits. Uses only textbook series, without rational approximation and floating point, so that nothing is
 * shared with the kernels under test. Absolute errors are a few thousand units of 2^-bits. Callers add at
 * least 64 bits for these errors.
 */
type Fixed = bigint;

/**
 * Returns the distance of a double from the exact value of the function at `x`, in units in the last place of
 * the exact value.
 */
export function ulpError(actual: number, exact: { value: Fixed; bits: number }): number {
  const { value, bits } = exact;
  const difference = absolute(fixed(actual, bits) - value);
  const spacing = spacingBits(value, bits);
  return Number((difference << 20n) >> BigInt(spacing)) / 1048576;
}

const LN_BITS = 1400;
const LN_2 = twiceArtanh((1n << BigInt(LN_BITS)) / 3n, LN_BITS);

/** Returns ln x for a finite x > 0: x = m 2^e, ln m = 2 artanh((m - 1)/(m + 1)). */
export function exactLn(x: number): { value: Fixed; bits: number } {
  const bits = LN_BITS;
  const one = 1n << BigInt(bits);
  const whole = fixed(x, bits);
  const exponent = bitLength(whole) - 1 - bits;
  const m = exponent >= 0 ? whole >> BigInt(exponent) : whole << BigInt(-exponent);
  const value = twiceArtanh(((m - one) << BigInt(bits)) / (m + one), bits) + BigInt(exponent) * LN_2;
  return { value, bits };
}

/** Returns exp x for |x| < 800: Taylor series of x / 2^20, squared 20 times. */
export function exactExp(x: number): { value: Fixed; bits: number } {
  const bits = 2600;
  const reduced = fixed(x, bits) >> 20n;
  let term = 1n << BigInt(bits);
  let value = term;
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    term = ((term * reduced) >> BigInt(bits)) / k;
    value += term;
  }
  for (let squared = 0; squared < 20; squared++) value = (value * value) >> BigInt(bits);
  return { value, bits };
}

/** The number of bits for the distribution function at 40, which needs the most precision. */
const BITS_MAX = 1280 + 3 * 40 * 40;
const SQRT_TWO_PI = squareRoot((2n * pi(BITS_MAX)) << BigInt(BITS_MAX));

/**
 * Returns the normal distribution function for |x| < 40: 1/2 + phi(x) (x + x^3/3 + x^5/(3 5) + ...),
 * Abramowitz and Stegun 26.2.11. In the lower tail the sum cancels to exp(-x^2), so the precision grows with
 * x^2.
 */
export function exactNormalCdf(x: number): { value: Fixed; bits: number } {
  const bits = 1280 + Math.ceil(3 * x * x);
  const one = 1n << BigInt(bits);
  const argument = fixed(x, bits);
  const square = (argument * argument) >> BigInt(bits);
  let term = argument;
  let sum = term;
  for (let odd = 3n; absolute(term) > 1n; odd += 2n) {
    term = ((term * square) >> BigInt(bits)) / odd;
    sum += term;
  }
  const gaussian = expOfMinusHalf(square, bits);
  const density = (gaussian << BigInt(bits)) / (SQRT_TWO_PI >> BigInt(BITS_MAX - bits));
  return { value: one / 2n + ((sum * density) >> BigInt(bits)), bits };
}

/** Converts a double to fixed point. The result is exact if bits is at least 1074. */
export function fixed(x: number, bits: number): Fixed {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const pattern = view.getBigUint64(0);
  const biased = Number(pattern >> 52n);
  const significand = (pattern & 0xfffffffffffffn) | (biased === 0 ? 0n : 1n << 52n);
  const magnitude = significand << BigInt(bits + (biased === 0 ? 1 : biased) - 1075);
  return x < 0 ? -magnitude : magnitude;
}

/** Returns exp(-square/2): the Taylor series of 2^-20 of the argument, squared 20 times. */
function expOfMinusHalf(square: Fixed, bits: number): Fixed {
  const reduced = square >> 21n;
  let term = 1n << BigInt(bits);
  let value = term;
  for (let k = 1n; term !== 0n; k++) {
    term = ((term * reduced) >> BigInt(bits)) / k;
    value += k % 2n === 0n ? term : -term;
  }
  for (let squared = 0; squared < 20; squared++) value = (value * value) >> BigInt(bits);
  return value;
}

function twiceArtanh(s: Fixed, bits: number): Fixed {
  const square = (s * s) >> BigInt(bits);
  let power = s;
  let sum = s;
  for (let odd = 3n; absolute(power) > 1n; odd += 2n) {
    power = (power * square) >> BigInt(bits);
    sum += power / odd;
  }
  return 2n * sum;
}

/** Returns pi, computed by Machin's formula: pi = 16 arctan(1/5) - 4 arctan(1/239). */
function pi(bits: number): Fixed {
  return 16n * arctanOfInverse(5n, bits) - 4n * arctanOfInverse(239n, bits);
}

function arctanOfInverse(n: bigint, bits: number): Fixed {
  let power = (1n << BigInt(bits)) / n;
  let sum = power;
  for (let odd = 3n; power !== 0n; odd += 2n) {
    power /= -(n * n);
    sum += power / odd;
  }
  return sum;
}

/** Returns the floor of the square root, by Newton's method from above. */
function squareRoot(n: bigint): bigint {
  let root = 1n << BigInt((bitLength(n) + 1) >> 1);
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/**
 * Returns log2 of the spacing of doubles at the number `value / 2^bits`, plus `bits`. The spacing of doubles
 * is at least 2^-1074.
 */
function spacingBits(value: Fixed, bits: number): number {
  return Math.max(bitLength(absolute(value)) - 53, bits - 1074);
}

function bitLength(n: bigint): number {
  return n === 0n ? 0 : n.toString(16).length * 4 - Math.clz32(parseInt(n.toString(16)[0]!, 16)) + 28;
}

function absolute(n: bigint): bigint {
  return n < 0n ? -n : n;
}
