/**
 * Rescales returns to the volatility that is expected for the next period: r_t s_(T+1) / s_t, with the
 * exponentially weighted variance s_(t+1)^2 = d s_t^2 + (1 - d) r_t^2.
 *
 * `returns`: T simple returns as fractions, oldest first. `decay`: d, in (0, 1). s_1^2 is the mean square of
 * all returns. The result is in the order of the returns; a history of zeros gives zeros. Throws a
 * `RangeError` on a decay outside (0, 1).
 * Source: Hull and White, "Incorporating Volatility Updating into the Historical Simulation Method for
 * Value-at-Risk" (Journal of Risk 1998).
 *
 * Example: returns of equal size stay unchanged.
 */
export function filteredReturns(returns: ArrayLike<number>, decay: number): Float64Array {
  if (!(decay > 0 && decay < 1)) throw new RangeError(`not a decay: ${decay}`);
  const T = returns.length;
  const filtered = new Float64Array(T);
  let squares = 0;
  for (let t = 0; t < T; t += 1) squares += returns[t]! * returns[t]!;
  if (!(squares > 0)) return filtered;
  let variance = squares / T;
  for (let t = 0; t < T; t += 1) {
    filtered[t] = returns[t]! / Math.sqrt(variance);
    variance = decay * variance + (1 - decay) * returns[t]! * returns[t]!;
  }
  const next = Math.sqrt(variance);
  for (let t = 0; t < T; t += 1) filtered[t]! *= next;
  return filtered;
}
