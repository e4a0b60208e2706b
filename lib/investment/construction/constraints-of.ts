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
    // Terms without a slope and without a limit add variables for nothing.
    absolutes: terms.filter(
      ({ max, sale, purchase }) => max !== undefined || hasSlope(sale) || hasSlope(purchase),
    ),
  };
}

/** Whether any slope of a term is not 0. */
export const hasSlope = (slopes: Float64Array | undefined) => slopes?.some((slope) => slope !== 0) ?? false;

/** Returns the rows of a problem, with that of a target return. */
export function rowsOf({ objective, rows, means }: AllocationProblem) {
  return objective.kind === 'target_return' ? [...rows, returnRow(means!, objective.target)] : rows;
}
