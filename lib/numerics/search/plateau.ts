import { quantile } from '../quantile.ts';

/**
 * Returns the plateau of the best trial: the median objective of its neighbours, divided by the objective of the best
 * trial. Near 1, the objective changes little around the best parameters. Near 0, only the best trial has a high
 * objective.
 *
 * `objectives`: larger is better, null or NaN if a trial has no objective; `best`: index of the best trial;
 * `neighbours`: indices of its neighbours, from `gridNeighbours` or `nearestPoints`. A neighbour without an objective
 * counts as 0. Null without neighbours, and if the objective of the best trial is missing or not above 0. Throws a
 * `RangeError` if there is no such trial.
 *
 * Example: objectives [1, 2, 1.5] with the best trial 1 and both others as neighbours give 0.625.
 */
export function plateau(
  objectives: readonly (number | null)[],
  { best, neighbours }: { best: number; neighbours: readonly number[] },
): number | null {
  for (const trial of [best, ...neighbours])
    if (objectives[trial] === undefined) throw new RangeError(`there is no trial ${trial}`);
  const own = objectives[best];
  if (own === null || own === undefined || !(own > 0 && own < Infinity) || neighbours.length === 0)
    return null;
  const around = neighbours.map((trial) => {
    const value = objectives[trial]!;
    return value === null || Number.isNaN(value) ? 0 : value;
  });
  return quantile(around, 0.5) / own;
}
