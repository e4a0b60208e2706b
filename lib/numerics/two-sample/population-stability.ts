import { chiSquareTail } from '../distributions/incomplete-gamma.ts';
import { sum } from '../descriptive.ts';
import { ln } from '../natural-log.ts';

/**
 * Returns the population stability index of two lists of counts of the same bins, with half a count added to each bin,
 * and the probability of an index at least as large if nothing has changed. PSI / (1/n + 1/m) approximately has a
 * chi-square distribution; its degrees of freedom are the number of bins minus one. The usual bounds 0.1 and 0.25 alone
 * mean little, because the index depends on n and m.
 *
 * Errors: `RangeError` without counts. Source: Yurdakul, "Statistical Properties of Population Stability Index" (2018).
 *
 * Example: for counts [1, 0] and [0, 1] the index is 1.0986122886681098 and p is 0.45860134182802514.
 */
export function populationStability(
  reference: readonly number[],
  current: readonly number[],
): { psi: number; p: number } {
  const [n, m] = [sum(reference), sum(current)];
  const bins = reference.length;
  if (n === 0 || m === 0) throw new RangeError('a stability index needs at least one count in each sample');
  let psi = 0;
  for (let bin = 0; bin < bins; bin += 1) {
    const before = (reference[bin]! + 0.5) / (n + bins / 2);
    const after = (current[bin]! + 0.5) / (m + bins / 2);
    psi += (after - before) * ln(after / before);
  }
  const p = bins < 2 ? 1 : chiSquareTail(psi / (1 / n + 1 / m), bins - 1);
  return { psi, p };
}

/** Returns the population stability index as other software computes it: with a share of 0.0001 for empty bins. */
export function flooredStability(reference: readonly number[], current: readonly number[]): number {
  const [n, m] = [sum(reference), sum(current)];
  let psi = 0;
  for (let bin = 0; bin < reference.length; bin += 1) {
    const before = Math.max(reference[bin]! / n, 1e-4);
    const after = Math.max(current[bin]! / m, 1e-4);
    psi += (after - before) * ln(after / before);
  }
  return psi;
}
