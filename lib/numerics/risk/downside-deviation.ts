/**
 * Returns the annual downside deviation below 0, over all n observations: sqrt(mean(min(r, 0)^2)) sqrt(P).
 *
 * `returns`: n simple returns as fractions, one per period. `periodsPerYear`: P, the number of periods per
 * year. The result is a fraction per year, 0 if no return is negative. Returns null without returns.
 * Source: Sortino and van der Meer, "Downside Risk" (1991).
 *
 * Example: for [0.01, -0.02] and 1 period a year, the result is sqrt(0.0004 / 2) = 0.0141421.
 */
export function downsideDeviation(returns: ArrayLike<number>, periodsPerYear: number): number | null {
  const n = returns.length;
  let squares = 0;
  for (let t = 0; t < n; t += 1) {
    const loss = Math.min(returns[t]!, 0);
    squares += loss * loss;
  }
  return n === 0 ? null : Math.sqrt(squares / n) * Math.sqrt(periodsPerYear);
}
