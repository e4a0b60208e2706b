import { chiSquareTail } from '../distributions/incomplete-gamma.ts';
import { bernoulli, kupiec, type LikelihoodRatio } from './kupiec.ts';

export type Christoffersen = {
  /** Whether an exception is as likely after an exception as after none; one degree of freedom. */
  independence: LikelihoodRatio;
  /** Frequency and independence together; two degrees of freedom. */
  conditionalCoverage: LikelihoodRatio;
};

/**
 * Tests whether exceptions of a value at risk come in clusters.
 *
 * `isException`: one number for each period in order, 1 for an exception and 0 otherwise. `level`: confidence level of
 * the value at risk. The first period has no period before, so independence is tested on n - 1 transitions. Throws a
 * `RangeError` with fewer than two periods and on a level outside (0, 1).
 * Source: Christoffersen, "Evaluating Interval Forecasts" (1998).
 *
 * Example: without exceptions the statistic of independence is 0 and its p-value 1.
 */
export function christoffersen(isException: ArrayLike<number>, level: number): Christoffersen {
  const count = isException.length;
  if (count < 2) throw new RangeError('independence needs at least two periods');
  // Transitions by the period before and the period itself.
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
