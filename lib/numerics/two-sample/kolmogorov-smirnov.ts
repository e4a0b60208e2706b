import { exp } from '../exponential.ts';

const EXACT_UP_TO = 10_000;
const PI_SQUARED_OVER_8 = 1.2337005501361697;
const SQRT_TWO_PI = 2.5066282746310002;

/**
 * Returns the p-value of the two-sided Kolmogorov-Smirnov test: exact if no sample has more than 10,000 values,
 * otherwise by the limit distribution. `steps` is D n m as returned by `distances`. Example: for D = 1 and two samples
 * of 5 values, the p-value is 2/252.
 */
export function kolmogorovSmirnovP(steps: number, n: number, m: number): number {
  return Math.max(n, m) <= EXACT_UP_TO
    ? exactKolmogorovSmirnovP(steps, n, m)
    : kolmogorovTail((steps / (n * m)) * Math.sqrt((n * m) / (n + m)));
}

/**
 * Returns the probability that the distribution functions of two samples of one continuous distribution are at least
 * steps / (n m) apart somewhere. If values are tied, the result is an upper bound.
 *
 * Every order of the n + m values is a path on a grid. The share of paths that leave the band |i m - j n| < steps is
 * summed without subtraction, so that the smallest p-values keep their digits. Time: at most n m.
 * Source: Hodges, "The significance probability of the Smirnov two-sample test" (Arkiv foer Matematik 1958).
 */
export function exactKolmogorovSmirnovP(steps: number, n: number, m: number): number {
  if (steps <= 0) return 1;
  const outside = new Float64Array(m + 1);
  for (let j = 0; j <= m; j += 1) outside[j] = j * n >= steps || outside[j - 1] === 1 ? 1 : 0;
  for (let i = 1; i <= n; i += 1) {
    outside[0] = i * m >= steps ? 1 : outside[0]!;
    for (let j = 1; j <= m; j += 1) {
      outside[j] = Math.abs(i * m - j * n) >= steps ? 1 : (outside[j]! * i + outside[j - 1]! * j) / (i + j);
    }
  }
  return outside[m]!;
}

/**
 * Returns the probability that the supremum of a Brownian bridge is above t in absolute value: the limit of the test's
 * p-value. Source: Kolmogorov (1933); for small t, a second series by the transformation of the theta function.
 *
 * Example: `kolmogorovTail(1.3580986393225505)` is 0.05.
 */
export function kolmogorovTail(t: number): number {
  if (t <= 0) return 1;
  if (t < 1) {
    let inside = 0;
    for (let k = 1; k <= 9; k += 2) inside += exp((-k * k * PI_SQUARED_OVER_8) / (t * t));
    return 1 - (SQRT_TWO_PI / t) * inside;
  }
  let tail = 0;
  for (let k = 8; k >= 1; k -= 1) tail += (k % 2 === 1 ? 1 : -1) * exp(-2 * k * k * t * t);
  return Math.min(1, 2 * tail);
}
