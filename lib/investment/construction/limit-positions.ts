import type { CostedVerdict } from './allocate-with-costs.ts';

/** Weights of at most this size do not count as positions. */
export const POSITION_MIN = 1e-9;

/** Optimises the weights. `held` has the symbols that may be held; null allows all symbols. */
export type Attempt = (held: ReadonlySet<string> | null) => CostedVerdict;

/** The number of positions that must be held exceeds the limit on positions. */
export type PositionsFixed = { ok: false; reason: 'positions_fixed'; needed: number };

export type LimitedVerdict = {
  verdict: CostedVerdict | PositionsFixed;
  /**
   * The verdict without the limit on positions, if this limit binds; null otherwise. No solution with the
   * limit has a better objective.
   */
  relaxed: Extract<CostedVerdict, { ok: true }> | null;
  held: ReadonlySet<string> | null;
};

/**
 * Limits the number of positions by backward elimination. Each step removes the smaller half of the positions
 * above the limit, and optimises the remaining positions again, until the limit is satisfied. If that fails,
 * positions are removed one at a time. The result is a heuristic: another choice of positions can be better.
 *
 * Shapes: `isFixed` marks assets that must be held, such as assets that cannot be sold in time. These assets
 * are never removed. Of equal positions, the symbols that come first are kept.
 */
export function limitPositions(
  attempt: Attempt,
  { symbols, most, isFixed, meetsMinimums }: LimitOptions,
): LimitedVerdict {
  const first = attempt(null);
  if (!first.ok || most === undefined) return { verdict: first, relaxed: null, held: null };
  const positions = first.allocation.weights.filter((weight) => Math.abs(weight) > POSITION_MIN).length;
  if (positions <= most && meetsMinimums(first.allocation.weights))
    return { verdict: first, relaxed: null, held: null };
  for (const share of [2, Infinity]) {
    const found = eliminate(attempt, { symbols, most, isFixed, share, first });
    if (found.verdict.ok) return { ...found, relaxed: first };
    if (share === Infinity) return { ...found, relaxed: first };
  }
  throw new Error('the elimination ended without a verdict');
}

type LimitOptions = {
  symbols: readonly string[];
  most: number | undefined;
  isFixed: (k: number) => boolean;
  /**
   * Whether every position has at least its minimum weight. Minimum weights apply once the positions are
   * chosen.
   */
  meetsMinimums: (weights: Float64Array) => boolean;
};

type Elimination = {
  symbols: readonly string[];
  most: number;
  isFixed: (k: number) => boolean;
  share: number;
  first: Extract<CostedVerdict, { ok: true }>;
};

function eliminate(
  attempt: Attempt,
  { symbols, most, isFixed, share, first }: Elimination,
): Omit<LimitedVerdict, 'relaxed'> {
  let found = first;
  let held: ReadonlySet<string> | null = null;
  for (;;) {
    const { weights } = found.allocation;
    const positions = symbols
      .map((_, k) => k)
      .filter((k) => Math.abs(weights[k]!) > POSITION_MIN || isFixed(k));
    const excess = positions.length - most;
    if (excess <= 0 && held !== null) return { verdict: found, held };
    const leaving = new Set(
      positions
        .filter((k) => !isFixed(k))
        .sort((a, b) => Math.abs(weights[a]!) - Math.abs(weights[b]!) || b - a)
        .slice(0, Math.max(0, Math.max(1, Math.ceil(excess / share)) * Number(excess > 0))),
    );
    if (excess > 0 && leaving.size === 0)
      return { verdict: { ok: false, reason: 'positions_fixed', needed: positions.length }, held };
    held = new Set(positions.filter((k) => !leaving.has(k)).map((k) => symbols[k]!));
    const verdict: CostedVerdict = attempt(held);
    if (!verdict.ok) return { verdict, held };
    found = verdict;
  }
}
