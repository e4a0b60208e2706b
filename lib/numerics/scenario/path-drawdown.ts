import { expMinusOne } from '../exponential-minus-one.ts';

/**
 * Returns the maximum drawdown of each path from its highest earlier level, including the start, as a simple return: 0
 * if a path never falls, near -1 if almost all is lost.
 *
 * Shapes: `cumulative` holds the cumulative log returns of paths of `horizon` steps, path by path.
 * Errors: `RangeError` if the length of `cumulative` is not a multiple of `horizon`.
 *
 * Example: for one path [ln 1.5, ln 0.75] the drawdown is -0.5.
 */
export function pathDrawdowns(cumulative: Float64Array, horizon: number): Float64Array {
  if (!(horizon >= 1) || cumulative.length % horizon !== 0)
    throw new RangeError(`${cumulative.length} numbers cannot be divided into paths of ${horizon} steps`);
  const out = new Float64Array(cumulative.length / horizon);
  for (let path = 0; path < out.length; path += 1) {
    let [peak, deepest] = [0, 0];
    for (let t = 0; t < horizon; t += 1) {
      const level = cumulative[path * horizon + t]!;
      if (level > peak) peak = level;
      if (level - peak < deepest) deepest = level - peak;
    }
    out[path] = expMinusOne(deepest);
  }
  return out;
}
