import type { Conflict } from '#lib/numerics/optimisation/conflict.ts';
import { portfolioConflict } from '#lib/numerics/optimisation/portfolio-conflict.ts';
import type { PortfolioConstraints } from '#lib/numerics/optimisation/portfolio-polyhedron.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import { constraintsOf, rowsOf } from './constraints-of.ts';

/** Limits that leave less room than this are in conflict for the solvers. */
const ROOM = 1e-8;

/**
 * Returns the conflict of the linear constraints of a problem, by the members of the request; null if they can be met.
 * Constraints that leave almost no room are in conflict too, because no solver meets them in doubles.
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
