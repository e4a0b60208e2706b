import type { CostedVerdict } from './allocate-with-costs.ts';
import type { AllocationProblem } from './allocation-problem.ts';
import type { PositionsFixed } from './limit-positions.ts';
import { conflictOf } from './conflict-of.ts';
import { refused, type ConstructionRefused } from './construction-refusal.ts';

type Failure = Exclude<CostedVerdict, { ok: true }> | PositionsFixed;

/**
 * A limit that can be relaxed so that the constraints can be satisfied. `from` and `to` are null if no single
 * number describes the limit.
 */
type RelaxedLimit = {
  pointer: string;
  from: number | null;
  to: number | null;
  /**
   * Whether all linear limits can be satisfied after this relaxation. If not, there are other conflicts.
   * Limits on positions, volatility and realised gains are not linear and are checked afterwards.
   */
  sufficient: boolean;
};

/** The data needed to convert bounds of constraints to members of the request. */
type Units = {
  /** Two-way turnover from selling the holdings that are not eligible assets. */
  outsideTurnover: number;
  gainMax: number | null;
  /**
   * Converts a realised gain of the assets, as a share of value, to minor units, and adds the gain of the
   * other holdings.
   */
  gainMinor: (share: number) => number;
};

/** Members of the request whose value differs from the bound of the constraint that they set. */
const unnumbered = new Set([
  '/constraints/liquidity',
  '/constraints/positions_max',
  '/universe',
  '/excluded',
]);

/**
 * Returns the refusal of constraints that cannot be satisfied: a minimal set of members that contradict each
 * other, and for each member the smallest relaxation that resolves the conflict. If a limit on a volatility
 * or on realised gains cannot be satisfied, only this limit is reported, with the smallest value that can be
 * reached.
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

/**
 * Returns the refusal if more positions have a minimum weight than the limit on positions allows. Positions that
 * cannot be sold in time also have a minimum weight.
 */
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
  const detail = `No weights satisfy ${conflict.join(', ')} together. For each of these constraints, \`relax\` gives the smallest change that resolves the conflict.`;
  return refused('constraints_infeasible', detail, { conflict, relax });
}
