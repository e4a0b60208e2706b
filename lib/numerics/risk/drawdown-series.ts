/**
 * Returns the drawdown after each period: W_t / max(1, W_1, ..., W_t) - 1 of compounded simple returns, 0 or below.
 *
 * `returns`: n simple returns, fractions. The result has n fractions. Source: Magdon-Ismail and Atiya, "Maximum
 * Drawdown" (Risk 2004).
 *
 * Example: for [0.5, -0.5, 0.1] it is [0, -0.5, -0.45].
 */
export function drawdownSeries(returns: ArrayLike<number>): Float64Array {
  const drawdowns = new Float64Array(returns.length);
  let [level, peak] = [1, 1];
  for (let t = 0; t < returns.length; t += 1) {
    level *= 1 + returns[t]!;
    if (level > peak) peak = level;
    drawdowns[t] = level / peak - 1;
  }
  return drawdowns;
}
