/**
 * Returns target weights at the start of each month, month by month, from the points of a glide path. Targets are
 * interpolated linearly between two points, and constant after the last. The first point is month 1.
 *
 * Each row is divided by its sum, so that it sums to 1. Example: from [1, 0] in month 1 to [0, 1] in month 3, month 2
 * has [0.5, 0.5].
 */
export function targetWeights(
  glide: readonly { month: number; weights: readonly number[] }[],
  horizon: number,
): Float64Array {
  const assets = glide[0]!.weights.length;
  const targets = new Float64Array(horizon * assets);
  let place = 0;
  for (let t = 0; t < horizon; t += 1) {
    while (place + 1 < glide.length && glide[place + 1]!.month <= t + 1) place += 1;
    const from = glide[place]!;
    const to = glide[place + 1] ?? from;
    const share = to === from ? 0 : (t + 1 - from.month) / (to.month - from.month);
    let total = 0;
    for (let i = 0; i < assets; i += 1) {
      const weight = from.weights[i]! + share * (to.weights[i]! - from.weights[i]!);
      targets[t * assets + i] = weight;
      total += weight;
    }
    for (let i = 0; i < assets; i += 1) targets[t * assets + i]! /= total;
  }
  return targets;
}
