import type { Objective } from './construction-objective.schema.ts';

/** The objectives that are computed from the returns of past periods. */
export type TailObjective = Extract<Objective, { kind: 'minimum_cvar' | 'minimum_cdar' | 'minimum_mad' }>;

/**
 * Returns the tail risk of portfolio returns, as a fraction per period: the conditional value at risk of the
 * losses, the conditional drawdown at risk of the uncompounded returns, or the mean absolute deviation.
 * Source: Rockafellar and Uryasev, "Optimization of Conditional Value-at-Risk" (Journal of Risk 2, 2000);
 * Chekhlov, Uryasev and Zabarankin, "Drawdown Measure in Portfolio Optimization" (2005); Konno and Yamazaki
 * (1991).
 *
 * Example: at the level 0.75, the conditional value at risk of the returns [-0.1, 0, 0.1, 0.2] is 0.1.
 */
export function tailRisk(objective: TailObjective, returns: Float64Array): number {
  if (objective.kind === 'minimum_mad') return meanAbsoluteDeviation(returns);
  const { level = 0.95 } = objective;
  return expectedTail(
    objective.kind === 'minimum_cvar' ? returns.map((each) => -each) : drawdowns(returns),
    level,
  );
}

function meanAbsoluteDeviation(returns: Float64Array): number {
  let total = 0;
  for (const each of returns) total += each;
  const centre = total / returns.length;
  let distances = 0;
  for (const each of returns) distances += Math.abs(each - centre);
  return distances / returns.length;
}

/**
 * Returns the mean of the largest losses, which are the share 1 - level of all losses. If this share is not a whole
 * number of losses, one loss is counted in part.
 */
function expectedTail(losses: Float64Array, level: number): number {
  const worst = losses.toSorted((a, b) => b - a);
  const share = (1 - level) * worst.length;
  let [total, taken] = [0, 0];
  for (const loss of worst) {
    const part = Math.min(1, share - taken);
    if (part <= 0) break;
    total += part * loss;
    taken += part;
  }
  return total / share;
}

/**
 * Returns the distance of the cumulative sum of the returns from its highest earlier value, for each return.
 * The sum starts at 0.
 */
function drawdowns(returns: Float64Array): Float64Array {
  let [sum, highest] = [0, 0];
  return returns.map((each) => {
    sum += each;
    highest = Math.max(highest, sum);
    return highest - sum;
  });
}
