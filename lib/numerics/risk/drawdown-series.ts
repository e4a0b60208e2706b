/**
 * Levels above `SCALED_ABOVE` are multiplied by `SCALE`, so that they stay in the range of a double. Scaling
 * by a power of two changes no bit of a drawdown.
 */
const SCALED_ABOVE = 2.037035976334486e90; // 2^300
const SCALE = 4.909093465297727e-91; // 2^-300

/**
 * Returns the drawdown after each period: W_t / max(1, W_1, ..., W_t) - 1 of compounded simple returns, 0 or
 * below.
 *
 * `returns`: n simple returns as fractions. The result has n fractions.
 * Source: Magdon-Ismail and Atiya, "Maximum Drawdown" (Risk 2004).
 *
 * Example: for [0.5, -0.5, 0.1], the result is [0, -0.5, -0.45].
 */
export function drawdownSeries(returns: ArrayLike<number>): Float64Array {
  const drawdowns = new Float64Array(returns.length);
  let [level, peak] = [1, 1];
  for (let t = 0; t < returns.length; t += 1) {
    level *= 1 + returns[t]!;
    if (level > peak) peak = level;
    if (level > SCALED_ABOVE) {
      level *= SCALE;
      peak *= SCALE;
    }
    drawdowns[t] = level / peak - 1;
  }
  return drawdowns;
}

/**
 * Returns the lowest of the drawdowns; 0 without drawdowns. The result equals `maxDrawdown` of the returns
 * from which the drawdowns were computed.
 */
export function deepestDrawdown(drawdowns: ArrayLike<number>): number {
  let deepest = 0;
  for (let t = 0; t < drawdowns.length; t += 1) deepest = Math.min(deepest, drawdowns[t]!);
  return deepest;
}
