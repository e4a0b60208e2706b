/**
 * Returns the ulcer index: the root of the mean squared drawdown. The mean divides by n, not by n - 1.
 *
 * `drawdowns`: n drawdowns as returned by `drawdownSeries`, as fractions. Returns null without drawdowns.
 * Source: Martin and McCann, "The Investor's Guide to Fidelity Funds" (1989).
 *
 * Example: for [0, -0.3, -0.4], the result is sqrt(0.25 / 3) = 0.2886751.
 */
export function ulcerIndex(drawdowns: ArrayLike<number>): number | null {
  const n = drawdowns.length;
  let squares = 0;
  for (let t = 0; t < n; t += 1) squares += drawdowns[t]! * drawdowns[t]!;
  return n === 0 ? null : Math.sqrt(squares / n);
}
