import { foldsOf, type Fold } from '#lib/numerics/search/folds.ts';
import { gridCount } from '#lib/numerics/search/grid.ts';
import type { Point } from '#lib/numerics/search/space.ts';
import type { StrategyRefusal } from '../strategies/strategy-refusal.ts';
import type { OptimizationInput } from './optimization-input.schema.ts';
import { SEARCH_LIMITS } from './optimization-limits.ts';
import { spaceOf } from './search-space.ts';

export type SearchRefusal =
  | StrategyRefusal
  | {
      code: 'folds_insufficient' | 'space_empty' | 'too_many_trials';
      detail: string;
      members: Record<string, unknown>;
    };

/** Returns the refusal of a grid with too many points; null if the search can list its points. */
export function gridRefusal({ method, space }: OptimizationInput): SearchRefusal | null {
  const count = method === 'grid' ? gridCount(spaceOf(space)) : 0;
  if (count <= SEARCH_LIMITS.trials) return null;
  const points = Number.isFinite(count) ? count : null;
  const has = points === null ? 'has a continuous range' : `has ${points} points`;
  const detail = `The grid ${has}. At most ${SEARCH_LIMITS.trials} points are possible: use larger steps, or \`random\`.`;
  return { code: 'too_many_trials', detail, members: { points } };
}

/** Returns the refusal of a search with fewer than two points in its first round. */
export function fewPoints({ length: points }: readonly Point[]): SearchRefusal | null {
  if (points >= 2) return null;
  const detail = `${points === 0 ? 'No point' : 'Only one point'} of the space meets the condition. A search needs two.`;
  return { code: 'space_empty', detail, members: { points } };
}

/** Returns the refusal of a search if none of its points can be simulated. */
export function noTrial(points: number): SearchRefusal {
  const detail = 'No point of the space meets the condition and can be simulated.';
  return { code: 'space_empty', detail, members: { points } };
}

/** Returns the refusal of a benchmark without a value at the first session. */
export function lateBenchmark(day: string): SearchRefusal {
  const detail = `The benchmark has no value on ${day}, the first session. Choose a later \`from\`, or another benchmark.`;
  return { code: 'market_history_insufficient', detail, members: { observed: 0, needed: 1 } };
}

/** Divides the sessions of a search into folds. Returns no folds if the search has no test ranges. */
export function foldsFor(
  { walk_forward: terms }: OptimizationInput,
  sessions: number,
  lag: number,
): { ok: true; folds: Fold[] } | { ok: false; refusal: SearchRefusal } {
  if (terms === null) return { ok: true, folds: [] };
  const { embargo = 0, ...sizes } = terms;
  const found = foldsOf({ sessions, purge: lag + embargo, ...sizes });
  if (found.ok) return found;
  const isShort = found.reason === 'folds_insufficient';
  const detail = isShort
    ? `The folds need ${found.needed} sessions. The backtests have ${found.sessions}.`
    : `The ranges give ${found.folds} folds. At most ${found.most} are possible.`;
  const members = isShort
    ? { sessions: found.sessions, needed: found.needed }
    : { sessions, needed: found.most };
  return { ok: false, refusal: { code: 'folds_insufficient', detail, members } };
}
