import type { ResolvedStrategy } from './strategy.schema.ts';

export type SelectionFacts = {
  /**
   * The symbols of the universe for which the condition of the selection holds, ascending. Without a condition: all
   * symbols of the universe.
   */
  candidates: readonly number[];
  /** The ranking signal of a symbol; NaN if it is missing. Null without a ranking. */
  valueOf: ((k: number) => number) | null;
  /** Whether a symbol is held long. */
  isHeld: (k: number) => boolean;
};

export type Selected = {
  /** Rank of each symbol, 1 for the best; symbols without a value have no rank. */
  ranks: Map<number, number>;
  /** Symbols to buy and to sell short, in the order of their ranks. */
  longs: number[];
  shorts: number[];
};

/**
 * Selects the symbols of a decision. A symbol that is held stays while its rank is at most `keep_until_rank`;
 * the best-ranked other symbols are added until `top` symbols are selected. Short positions are the symbols
 * with the lowest ranks that are not selected. Equal values are ranked by symbol. With fewer long symbols
 * than `minimum`, nothing is selected.
 *
 * Example: with the values 3, 1, 2, the order `desc` and `top` 2, the symbols 0 and 2 are selected.
 */
export function selectSymbols(
  { select, weight }: Pick<ResolvedStrategy, 'select' | 'weight'>,
  { candidates, valueOf, isHeld }: SelectionFacts,
): Selected {
  const ranked = valueOf === null ? [...candidates] : rankedBy(candidates, valueOf, select.order);
  const ranks = new Map(valueOf === null ? [] : ranked.map((k, at) => [k, at + 1]));
  const { bottom } = weight.short;
  const most = select.top ?? Math.max(ranked.length - bottom, 0);
  const keep = select.keep_until_rank ?? most;
  const kept = ranked.slice(0, keep).filter(isHeld).slice(0, most);
  const stays = new Set(kept);
  const entering = ranked.filter((k) => !stays.has(k)).slice(0, most - kept.length);
  const chosen = new Set([...kept, ...entering]);
  const longs = ranked.filter((k) => chosen.has(k));
  if (longs.length < select.minimum) return { ranks, longs: [], shorts: [] };
  const shorts = bottom === 0 ? [] : ranked.slice(-bottom).filter((k) => !chosen.has(k));
  return { ranks, longs, shorts };
}

function rankedBy(
  candidates: readonly number[],
  valueOf: (k: number) => number,
  order: ResolvedStrategy['select']['order'],
): number[] {
  const sign = order === 'desc' ? -1 : 1;
  return candidates
    .filter((k) => !Number.isNaN(valueOf(k)))
    .sort((a, b) => sign * (valueOf(a) - valueOf(b)) || a - b);
}
