import { standardDeviation } from '../descriptive.ts';

/**
 * Returns the annual volatility: the sample standard deviation (ddof 1) times sqrt(P).
 *
 * `returns`: n simple returns as fractions, one per period. `periodsPerYear`: P, the number of periods per
 * year. The result is a fraction per year. Returns null with fewer than two returns.
 * Source: RiskMetrics Technical Document (1996), square-root-of-time rule.
 *
 * Example: for [0.01, -0.01] and 252 periods, the result is 0.0141421 sqrt(252) = 0.2244994.
 */
export function annualVolatility(returns: ArrayLike<number>, periodsPerYear: number): number | null {
  return returns.length < 2 ? null : standardDeviation(returns, { ddof: 1 }) * Math.sqrt(periodsPerYear);
}
