import { exp } from './exponential.ts';

const ONE_OVER_SQRT_2PI = 0.39894228040143267794;
const CENTRE_MAX = 0.67448975; // just below the upper quartile
const SQRT_32 = 5.656854249492381;
const UNDERFLOW_ABOVE = 40;
const SPLITTER = 134217729; // 2^27 + 1

/**
 * Returns the distribution function of the standard normal distribution: the probability of a value up to `x`.
 *
 * Range: every double. NaN gives NaN, -Infinity and everything below -38.5 gives 0 (below -37.52 the result is
 * subnormal), everything above 8.3 gives 1, `normalCdf(0)` is 1/2. For the upper tail without cancellation, use
 * `normalCdf(-x)`.
 * Error: at most 7.5 units in the last place (relative 9.1e-16, around x = -4.3), measured against 300-bit arithmetic
 * at two million points; at most 1.9 for x >= -0.67448975, and at most 3.6 for x < -sqrt(32).
 * Never throws.
 * Source: the three ranges and rational Chebyshev approximations of Cody, "Rational Chebyshev approximations for the
 * error function", Mathematics of Computation 23 (1969) 631-637, in the form and with the constants of the function
 * ANORM of his "Algorithm 715: SPECFUN", ACM Transactions on Mathematical Software 19 (1993) 22-32.
 *
 * @example
 * normalCdf(-1); // 0.15865525393145705
 */
export function normalCdf(x: number): number {
  if (x !== x) return x;
  const y = Math.abs(x);
  if (y <= CENTRE_MAX) return 0.5 + x * centre(x * x);
  const tail = y > UNDERFLOW_ABOVE ? 0 : gaussian(y) * (y <= SQRT_32 ? nearTail(y) : farTail(y));
  return x < 0 ? tail : 1 - tail;
}

/**
 * Returns `exp(-y^2 / 2)`. The square is split exactly into its rounded value and the rest (Dekker, "A floating-point
 * technique for extending the available precision", 1971). A rounding error of half a unit in the last place of y^2 =
 * 700 would change the result by a relative 2^-44.
 */
function gaussian(y: number): number {
  const scaled = y * SPLITTER;
  const high = scaled - (scaled - y);
  const low = y - high;
  const square = y * y;
  const rest = high * high - square + 2 * high * low + low * low;
  const rounded = exp(-0.5 * square);
  return rounded - 0.5 * rest * rounded;
}

/** Returns `(normalCdf(x) - 1/2) / x` for |x| <= 0.67448975; z = x^2. */
function centre(z: number): number {
  let a = 0.065682337918207449113;
  a = a * z + 2.2352520354606839287;
  a = a * z + 161.02823106855587881;
  a = a * z + 1067.6894854603709582;
  a = a * z + 18154.981253343561249;
  let b = z + 47.20258190468824187;
  b = b * z + 976.09855173777669322;
  b = b * z + 10260.932208618978205;
  b = b * z + 45507.789335026729956;
  return a / b;
}

/** Returns `normalCdf(-y) exp(y^2 / 2)` for 0.67448975 < y <= sqrt(32). */
function nearTail(y: number): number {
  let c = 1.0765576773720192317e-8;
  c = c * y + 0.39894151208813466764;
  c = c * y + 8.8831497943883759412;
  c = c * y + 93.506656132177855979;
  c = c * y + 597.27027639480026226;
  c = c * y + 2494.5375852903726711;
  c = c * y + 6848.1904505362823326;
  c = c * y + 11602.651437647350124;
  c = c * y + 9842.7148383839780218;
  let d = y + 22.266688044328115691;
  d = d * y + 235.38790178262499861;
  d = d * y + 1519.377599407554805;
  d = d * y + 6485.558298266760755;
  d = d * y + 18615.571640885098091;
  d = d * y + 34900.952721145977266;
  d = d * y + 38912.003286093271411;
  d = d * y + 19685.429676859990727;
  return c / d;
}

/** Returns `normalCdf(-y) exp(y^2 / 2)` for y > sqrt(32), a rational function of z = 1 / y^2. */
function farTail(y: number): number {
  const z = 1 / (y * y);
  let p = 0.02307344176494017303;
  p = p * z + 0.21589853405795699;
  p = p * z + 0.1274011611602473639;
  p = p * z + 0.022235277870649807;
  p = p * z + 0.001421619193227893466;
  p = p * z + 2.9112874951168792e-5;
  let q = z + 1.28426009614491121;
  q = q * z + 0.468238212480865118;
  q = q * z + 0.0659881378689285515;
  q = q * z + 0.00378239633202758244;
  q = q * z + 7.29751555083966205e-5;
  return (ONE_OVER_SQRT_2PI - (z * p) / q) / y;
}
