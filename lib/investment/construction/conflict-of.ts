import type { Conflict } from '#lib/numerics/optimisation/conflict.ts';
import { portfolioConflict } from '#lib/numerics/optimisation/portfolio-conflict.ts';
import type { PortfolioConstraints } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import { constraintsOf, rowsOf } from './constraints-of.ts';

/**
 * Amount by which each limit is narrowed in a second check. Limits that contradict each other after the
 * narrowing count as in conflict.
 */
const ROOM = 1e-8;

/**
 * Returns the conflict between the linear constraints of a problem. Constraints are named by the members of the request
 * that set them. Returns null if the constraints can be satisfied. Constraints that leave almost no feasible set are in
 * conflict too, because no solver can satisfy them in double precision.
 */
export function conflictOf(problem: AllocationProblem): Conflict | null {
  const { limits } = problem;
  const names = {
    budget: '/constraints/cash_min',
    lower: (k: number) => limits.lowerPointers[k]!,
    upper: (k: number) => limits.upperPointers[k]!,
    row: (at: number) => rowsOf(problem)[at]!.pointer,
    absolute: () => '/constraints/turnover_max',
  };
  const constraints = constraintsOf(problem);
  return portfolioConflict(constraints, names) ?? portfolioConflict(narrowed(constraints), names);
}

function narrowed({
  lower,
  upper,
  budget,
  rows = [],
  absolutes = [],
}: PortfolioConstraints): PortfolioConstraints {
  const isWide = lower.map((min, k) => Number(upper[k]! - min > 2 * ROOM));
  return {
    lower: lower.map((min, k) => min + isWide[k]! * ROOM),
    upper: upper.map((max, k) => max - isWide[k]! * ROOM),
    budget,
    rows: rows.map((row) =>
      row.min === row.max ? row : { ...row, min: row.min + ROOM, max: row.max - ROOM },
    ),
    absolutes: absolutes.map((term) => (term.max === undefined ? term : { ...term, max: term.max - ROOM })),
  };
}
