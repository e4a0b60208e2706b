import { chiSquareTail } from '../distributions/incomplete-gamma.ts';
import { bernoulli, kupiec, type LikelihoodRatio } from './kupiec.ts';

export type Christoffersen = {
  /**
   * Test of whether an exception is as likely after a period with an exception as after a period without an
   * exception; one degree of freedom.
   */
  independence: LikelihoodRatio;
  /** Joint test of the frequency and the independence of exceptions; two degrees of freedom. */
  conditionalCoverage: LikelihoodRatio;
};

/**
 * Tests whether exceptions of a value at risk come in clusters.
 *
 * `isException`: one number for each period in order, 1 for an exception and 0 otherwise. `level`: confidence
 * level of the value at risk. Independence is tested on the n - 1 transitions from one period to the next.
 * Throws a `RangeError` with fewer than two periods and on a level outside (0, 1).
 * Source: Christoffersen, "Evaluating Interval Forecasts" (1998).
 *
 * Example: without exceptions the statistic of independence is 0 and its p-value 1.
 */
export function christoffersen(isException: ArrayLike<number>, level: number): Christoffersen {
  const count = isException.length;
  if (count < 2) throw new RangeError('independence needs at least two periods');
  // Counts of transitions, by whether the earlier and the later period have an exception.
  const moves = [0, 0, 0, 0];
  let exceptions = isException[0]!;
  for (let t = 1; t < count; t += 1) {
    moves[2 * isException[t - 1]! + isException[t]!]! += 1;
    exceptions += isException[t]!;
  }
  const [calmCalm, calmHit, hitCalm, hitHit] = moves as [number, number, number, number];
  const [afterCalm, afterHit, hits] = [calmCalm + calmHit, hitCalm + hitHit, calmHit + hitHit];
  const apart = likelihood(calmHit, afterCalm) + likelihood(hitHit, afterHit);
  const statistic = Math.max(0, 2 * (apart - likelihood(hits, count - 1)));
  const both = kupiec(exceptions, count, level).statistic + statistic;
  return {
    independence: { statistic, p: chiSquareTail(statistic, 1) },
    conditionalCoverage: { statistic: both, p: chiSquareTail(both, 2) },
  };
}

function likelihood(hits: number, count: number): number {
  return count === 0 ? 0 : bernoulli(hits, count, hits / count);
}
