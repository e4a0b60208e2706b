import type { CostedVerdict } from './allocate-with-costs.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import type { PositionsFixed } from './limit-positions.ts';
import { conflictOf } from './conflict-of.ts';
import { refused, type ConstructionRefused } from './construction-refusal.ts';

type Failure = Exclude<CostedVerdict, { ok: true }> | PositionsFixed;

/** A limit that can be moved so that the constraints can be met. Null where no single number describes it. */
type RelaxedLimit = {
  pointer: string;
  from: number | null;
  to: number | null;
  /**
   * Whether all linear limits can then be met; if not, they conflict elsewhere too. Limits on positions, volatility and
   * realised gains are checked after the linear ones.
   */
  sufficient: boolean;
};

/** The units that turn sides of constraints back into members of the request. */
type Units = {
  /** Two-way turnover of the holdings without an asset. */
  outsideTurnover: number;
  gainMax: number | null;
  /** Minor units of a realised gain in the assets, with that of the other holdings. */
  gainMinor: (share: number) => number;
};

/** Members that do not state the sides of their constraints. */
const unnumbered = new Set([
  '/constraints/liquidity',
  '/constraints/positions_max',
  '/universe',
  '/excluded',
]);

/**
 * Returns the refusal of constraints that cannot be met: a minimal set of members that contradict each other, and for
 * each one the smallest change after which the others can be met. A limit on a volatility or on realised gains is
 * reported alone, with the smallest value that can be reached.
 */
export function explainInfeasible(
  problem: AllocationProblem,
  failure: Failure,
  { outsideTurnover, gainMax, gainMinor }: Units,
): ConstructionRefused {
  if (failure.reason === 'cap_infeasible') {
    const { pointer, max } = failure.cap;
    return infeasible([pointer], [{ pointer, from: max, to: failure.smallest, sufficient: true }]);
  }
  if (failure.reason === 'gain_infeasible') {
    const pointer = '/tax/realised_gain_max_minor';
    return infeasible(
      [pointer],
      [{ pointer, from: gainMax, to: Math.ceil(gainMinor(failure.smallest)), sufficient: true }],
    );
  }
  if (failure.reason === 'positions_fixed') return tooManyFixed(problem, failure);
  const found = conflictOf(problem);
  if (!found) throw new Error('the solver found no weights, and the constraints do not conflict');
  const inRequest = (pointer: string, side: number | null): number | null => {
    if (side === null || unnumbered.has(pointer)) return null;
    if (pointer === '/constraints/cash_min') return 1 - side;
    return pointer === '/constraints/turnover_max' ? side + outsideTurnover : side;
  };
  return infeasible(
    found.conflict,
    found.relax.map(({ id, from, to, isSufficient }) => ({
      pointer: id,
      from: inRequest(id, from),
      to: inRequest(id, to),
      sufficient: isSufficient,
    })),
  );
}

/** Positions with a minimum weight, such as those that cannot be sold in time, exceed the limit on positions. */
function tooManyFixed(
  { limits, positionsMax }: AllocationProblem,
  { needed }: PositionsFixed,
): ConstructionRefused {
  const pointer = '/constraints/positions_max';
  const minimums = limits.lowerPointers.filter((_, k) => limits.lower[k]! > 0);
  const conflict = [...new Set([pointer, ...minimums])];
  return infeasible(conflict, [{ pointer, from: positionsMax, to: needed, sufficient: true }]);
}

function infeasible(conflict: readonly string[], relax: readonly RelaxedLimit[]): ConstructionRefused {
  const detail = `No weights meet ${conflict.join(', ')} together. Relax one of them as in relax.`;
  return refused('constraints_infeasible', detail, { conflict, relax });
}
