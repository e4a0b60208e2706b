/** The annual return of a strategy at a size of the initial cash. Null if the value falls to 0. */
export type CapacityPoint = { scale: number; annual_return: number | null };

/**
 * Returns the size, as a multiple of the initial cash, at which costs consume half of the annual return before costs.
 * Null if the largest size keeps more than half, or if the return before costs is not above 0. Between two sizes a and
 * b, the return is interpolated linearly in the logarithm of the size. The share s of the interval corresponds to the
 * size a (b / a)^s. This size is computed without a logarithm, by 40 bisections with the geometric mean.
 *
 * `gross`: annual return without costs, a fraction. `points`: sizes in ascending order.
 *
 * Example: with a gross return of 0.1 and returns of 0.08 at 1 and 0.02 at 9, the size is 3.
 */
export function halfCapacity(gross: number, points: readonly CapacityPoint[]): number | null {
  if (!(gross > 0)) return null;
  const half = gross / 2;
  const returns = points.map(({ annual_return }) => annual_return ?? -1);
  const at = returns.findIndex((value) => value <= half);
  if (at < 0) return null;
  if (at === 0) return points[0]!.scale;
  const share = (returns[at - 1]! - half) / (returns[at - 1]! - returns[at]!);
  return between(points[at - 1]!.scale, points[at]!.scale, share);
}

/** Returns low (high / low)^share for a share from 0 to 1. */
function between(low: number, high: number, share: number): number {
  let [from, to] = [low, high];
  let [shareFrom, shareTo] = [0, 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = Math.sqrt(from * to);
    const shareMiddle = (shareFrom + shareTo) / 2;
    if (shareMiddle <= share) [from, shareFrom] = [middle, shareMiddle];
    else [to, shareTo] = [middle, shareMiddle];
  }
  return Math.sqrt(from * to);
}
