/**
 * Returns the compounded simple return: prod(1 + r) - 1, multiplied from left to right.
 * Example: `compoundReturn([0.5, -0.5])` is -0.25; without returns the result is 0.
 */
export function compoundReturn(returns: ArrayLike<number>): number {
  let level = 1;
  for (let t = 0; t < returns.length; t += 1) level *= 1 + returns[t]!;
  return level - 1;
}

/**
 * Returns the maximum drawdown of compounded simple returns from the highest earlier level, including the start, as a
 * return: 0 if the level never falls, -1 if all is lost. Without returns, the drawdown is 0.
 *
 * Example: `maxDrawdown([0.5, -0.5, 0.1])` is -0.5.
 */
export function maxDrawdown(returns: ArrayLike<number>): number {
  let level = 1;
  let peak = 1;
  let deepest = 0;
  for (let t = 0; t < returns.length; t += 1) {
    level *= 1 + returns[t]!;
    if (level > peak) peak = level;
    deepest = Math.min(deepest, level / peak - 1);
  }
  return deepest;
}
