import { expMinusOne } from '../exponential-minus-one.ts';
import { ln } from '../natural-log.ts';

/**
 * Returns the geometric annual return: prod(1 + r)^(P / n) - 1.
 *
 * `returns`: n simple returns as fractions, one per period. `periodsPerYear`: P, for example 12 or 252. The
 * result is a fraction per year, -1 if all is lost. Returns null if there are no returns, or if the
 * compounded level is below 0 or too large for a double. Throws nothing.
 * Source: Bacon, "Practical Portfolio Performance Measurement and Attribution" (2008), chapter 2.
 *
 * Example: for [0.01, 0.01] and 12 periods, the result is 1.01^12 - 1 = 0.126825.
 */
export function annualReturn(returns: ArrayLike<number>, periodsPerYear: number): number | null {
  const n = returns.length;
  let level = 1;
  for (let t = 0; t < n; t += 1) level *= 1 + returns[t]!;
  if (n === 0 || !(level >= 0)) return null;
  const annual = level === 0 ? -1 : expMinusOne((periodsPerYear / n) * ln(level));
  return Number.isFinite(annual) ? annual : null;
}
