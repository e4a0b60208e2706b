/**
 * Returns the share of returns above 0 among the returns that are not 0, from 0 to 1. Returns 0 if all
 * returns are 0.
 *
 * Example: for [0.01, 0, -0.02, 0.03], the result is 2/3.
 */
export function hitRate(returns: ArrayLike<number>): number {
  let [above, other] = [0, 0];
  for (let t = 0; t < returns.length; t += 1) {
    if (returns[t]! > 0) above += 1;
    else if (returns[t]! < 0) other += 1;
  }
  return above === 0 ? 0 : above / (above + other);
}
