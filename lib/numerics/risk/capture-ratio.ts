import { annualReturn } from './annual-return.ts';

/**
 * Returns the geometric capture ratio: the annual return over the periods in which the benchmark rose (`up`:
 * b > 0) or fell (`down`: b < 0), divided by the annual return of the benchmark over these periods.
 *
 * `returns`, `benchmark`: n simple returns of the same periods, as fractions. Returns null if there is no
 * such period, if an annual return is null, or if the annual return of the benchmark is 0. Throws a
 * `RangeError` on different lengths.
 * Source: Morningstar, "Upside/Downside Capture Ratio" (methodology paper).
 *
 * Example: for a portfolio equal to its benchmark, both ratios are 1.
 */
export function captureRatio(
  returns: ArrayLike<number>,
  benchmark: ArrayLike<number>,
  { side, periodsPerYear }: { side: 'up' | 'down'; periodsPerYear: number },
): number | null {
  if (returns.length !== benchmark.length)
    throw new RangeError('a capture ratio needs series of equal length');
  const [own, other]: [number[], number[]] = [[], []];
  for (let t = 0; t < returns.length; t += 1) {
    const b = benchmark[t]!;
    if (side === 'up' ? !(b > 0) : !(b < 0)) continue;
    own.push(returns[t]!);
    other.push(b);
  }
  const [numerator, denominator] = [annualReturn(own, periodsPerYear), annualReturn(other, periodsPerYear)];
  return numerator === null || denominator === null || denominator === 0 ? null : numerator / denominator;
}
