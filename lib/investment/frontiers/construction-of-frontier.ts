import type { ConstructionRunInput } from '#lib/investment/construction/construction-run.schema.ts';
import type { FrontierInput } from './frontier-input.schema.ts';

/** Returns the construction whose data and limits a frontier uses: that of its minimum variance portfolio. */
export function constructionOfFrontier({
  points,
  paths: _p,
  seed: _s,
  objective: _o,
  costs = null,
  tax = null,
  ...members
}: FrontierInput): ConstructionRunInput {
  return {
    ...members,
    objective: { kind: 'minimum_variance' },
    costs,
    tax,
    frontier_points: points,
  };
}
