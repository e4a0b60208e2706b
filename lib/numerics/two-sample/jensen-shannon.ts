import { sum } from '../descriptive.ts';
import { ln } from '../natural-log.ts';

const LN_2 = 0.6931471805599453;

/**
 * Returns the Jensen-Shannon distance of two lists of counts of the same bins, to base 2: from 0 for equal shares to 1
 * for no bin in common. The distance is the square root of the divergence. Source: Endres and Schindelin, "A new metric
 * for probability distributions" (2003). Errors: `RangeError` without counts.
 *
 * Example: counts [1, 0] and [0, 1] have the distance 1.
 */
export function jensenShannon(reference: readonly number[], current: readonly number[]): number {
  const [n, m] = [sum(reference), sum(current)];
  if (n === 0 || m === 0) throw new RangeError('a distance needs at least one count in each sample');
  let divergence = 0;
  for (let bin = 0; bin < reference.length; bin += 1) {
    const p = reference[bin]! / n;
    const q = current[bin]! / m;
    const middle = (p + q) / 2;
    if (p > 0) divergence += p * ln(p / middle);
    if (q > 0) divergence += q * ln(q / middle);
  }
  return Math.sqrt(Math.max(0, divergence / 2 / LN_2));
}
