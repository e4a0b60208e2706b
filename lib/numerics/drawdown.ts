/**
 * Growth of one unit over simple returns, less that unit: prod(1 + r) - 1, multiplied from left to right.
 * Example: `compoundReturn([0.5, -0.5])` is -0.25; of nothing it is 0.
 */
export function compoundReturn(returns: ArrayLike<number>): number {
  let level = 1;
  for (let t = 0; t < returns.length; t += 1) level *= 1 + returns[t]!;
  return level - 1;
}

/**
 * The deepest fall of compounded simple returns below the highest level before it, the start included, as a return: 0
 * when they never fall, -1 when all is lost. Of nothing it is 0.
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
