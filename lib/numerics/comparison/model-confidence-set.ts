import { mean } from '../descriptive.ts';

export type ConfidenceSetStep = {
  /** Index of the model that is eliminated next. */
  model: number;
  /** Range statistic of the remaining models: the largest |t| of any two remaining models. */
  statistic: number;
  p: number;
  /**
   * p-value of the model for the confidence set: the running maximum of the p-values of the steps. The set with the
   * confidence level 1 - a contains the models for which this value is above a.
   */
  setP: number;
};

/**
 * Computes the model confidence set with the range statistic. Each step eliminates the model with the largest t
 * statistic against another model, until one model remains. This last model is the best and has the set p-value 1.
 *
 * Shapes: `losses` has a row of T losses for each model; `resamples` has rows of T indices in 0..T-1 from a block
 * bootstrap. t_ij is the mean difference over the root of its variance over the resamples. p is the share of resamples
 * whose largest |t*| is above the observed range statistic; it is 1 if all remaining models have equal losses.
 * Errors: `RangeError` on rows of different lengths, or without models or resamples.
 * Source: Hansen, Lunde and Nason, "The Model Confidence Set" (Econometrica 2011), 3.1.2 with T_R, and 2.2 for the
 * p-values of the set.
 */
export function modelConfidenceSet(
  losses: readonly ArrayLike<number>[],
  resamples: readonly ArrayLike<number>[],
): ConfidenceSetStep[] {
  const observations = losses[0]?.length ?? 0;
  if (losses.some(({ length }) => length !== observations) || observations === 0 || resamples.length === 0)
    throw new RangeError('a confidence set needs losses at the same origins, and resamples');
  const means = losses.map(mean);
  const resampled = losses.map((row) => resamples.map((places) => meanAt(row, places)));
  const spread = losses.map((_, i) =>
    losses.map((__, j) => deviation(resampled[i]!, resampled[j]!, means[i]! - means[j]!)),
  );
  const t = (i: number, j: number, difference: number) => {
    const of = spread[i]![j]!;
    return of > 0 ? difference / of : difference === 0 ? 0 : Math.sign(difference) * Infinity;
  };
  const left = losses.map((_, model) => model);
  const steps: ConfidenceSetStep[] = [];
  let setP = 0;
  while (left.length > 1) {
    const { worst, statistic } = worstOf(left, (i, j) => t(i, j, means[i]! - means[j]!));
    let above = 0;
    for (let b = 0; b < resamples.length; b += 1) {
      const centred = (i: number, j: number) =>
        t(i, j, resampled[i]![b]! - resampled[j]![b]! - (means[i]! - means[j]!));
      if (largest(left, centred) > statistic) above += 1;
    }
    // Losses that are equal in every remaining model give no evidence against any of them.
    const p = statistic > 0 ? above / resamples.length : 1;
    setP = Math.max(setP, p);
    steps.push({ model: worst, statistic, p, setP });
    left.splice(left.indexOf(worst), 1);
  }
  return [...steps, { model: left[0]!, statistic: 0, p: 1, setP: 1 }];
}

/**
 * Returns the indices of circular blocks of `block` observations. The start of a block is an element of `uniforms`, in
 * (0, 1), times the number of observations. Together, the blocks have as many indices as there are observations; the
 * last block is shortened if necessary. Source: Politis and Romano (1992).
 */
export function circularBlocks(observations: number, block: number, uniforms: ArrayLike<number>): Int32Array {
  const places = new Int32Array(observations);
  for (let at = 0; at < observations; at += 1) {
    const start = Math.floor(uniforms[Math.floor(at / block)]! * observations);
    places[at] = (start + (at % block)) % observations;
  }
  return places;
}

function meanAt(row: ArrayLike<number>, places: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < places.length; at += 1) total += row[places[at]!]!;
  return total / places.length;
}

function deviation(one: readonly number[], other: readonly number[], centre: number): number {
  let squares = 0;
  for (let b = 0; b < one.length; b += 1) {
    const off = one[b]! - other[b]! - centre;
    squares += off * off;
  }
  return Math.sqrt(squares / one.length);
}

function worstOf(left: readonly number[], t: (i: number, j: number) => number) {
  let [worst, statistic] = [left[0]!, -Infinity];
  for (const i of left) {
    for (const j of left) {
      if (i === j || !(t(i, j) > statistic)) continue;
      worst = i;
      statistic = t(i, j);
    }
  }
  return { worst, statistic };
}

function largest(left: readonly number[], t: (i: number, j: number) => number): number {
  let max = 0;
  for (const [at, i] of left.entries()) {
    for (const j of left.slice(at + 1)) max = Math.max(max, Math.abs(t(i, j)));
  }
  return max;
}
