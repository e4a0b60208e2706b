import type { PortfolioConstraints } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import { returnRow } from './weight-rows.ts';

/** The constraints of a problem in the form of the solvers. */
export function constraintsOf(problem: AllocationProblem): PortfolioConstraints {
  const { limits, budget, terms } = problem;
  return {
    lower: limits.lower,
    upper: limits.upper,
    budget,
    rows: rowsOf(problem).map(({ range }) => range),
    // A term without slopes and without a limit is left out, because it would only add variables.
    absolutes: terms.filter(
      ({ max, sale, purchase }) => max !== undefined || hasSlope(sale) || hasSlope(purchase),
    ),
  };
}

/** Whether any slope of a term is not 0. */
export const hasSlope = (slopes: Float64Array | undefined) => slopes?.some((slope) => slope !== 0) ?? false;

/** Returns the linear rows of a problem, including the row of a target return. */
export function rowsOf({ objective, rows, means }: AllocationProblem) {
  return objective.kind === 'target_return' ? [...rows, returnRow(means!, objective.target)] : rows;
}
