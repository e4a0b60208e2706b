import { canonicalJson } from '#lib/core/seal.ts';
import type { PriceTable } from './price-table.ts';
import { conditionPanel } from './condition-panel.ts';
import type { PanelSource } from './signal-panel.ts';
import { expressionPanel } from './signal-panel.ts';
import type { StrategyData } from './strategy-data.ts';
import { priceColumns, readCondition, type PriceColumn } from './strategy-formulas.ts';
import { VOLUME_SESSIONS } from './strategy-question.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

/** Why a symbol is not in the universe of a session. `in` means that the symbol is in the universe. */
export const universeReasons = [
  'in',
  'not_published',
  'no_price',
  'where_false',
  'where_unknown',
  'above_most',
] as const;
export type UniverseReason = (typeof universeReasons)[number];

const IN = universeReasons.indexOf('in');
const [NOT_PUBLISHED, NO_PRICE, FALSE, UNKNOWN, ABOVE_MOST] = [1, 2, 3, 4, 5];

/**
 * Returns the index of the reason in `universeReasons` for each session and symbol, at `t * K + k`. A session uses the
 * version of the universe that was published by the end of the session, and prices up to the close of the session.
 */
export function universePanel(
  universe: ResolvedStrategy['universe'],
  data: Pick<StrategyData, 'versions' | 'instruments'>,
  table: PriceTable,
): Uint8Array {
  const [T, K] = [table.sessions.length, table.symbols.length];
  const codes = new Uint8Array(T * K).fill(NO_PRICE!);
  table.tables.forEach(({ sessions, columns: { close } }, k) => {
    sessions.forEach((t, at) => {
      if (!Number.isNaN(close[at])) codes[t * K + k] = IN;
    });
  });
  leaveOutUnpublished(codes, universe, data, table);
  const source = priceSource(table, () => membersOf(codes));
  leaveOutBy(codes, universe.where, source);
  leaveOutSmallest(codes, universe.most, source);
  return codes;
}

/** Returns the key of a universe in a cache. */
export function universeKey(universe: ResolvedStrategy['universe']): string {
  return canonicalJson(universe);
}

/** Returns 1 for each symbol in the universe, otherwise 0. */
export function membersOf(codes: Uint8Array): Uint8Array {
  return codes.map((code) => (code === IN ? 1 : 0));
}

/** Returns the prices as the source of expressions. */
export function priceSource(table: PriceTable, members: () => Uint8Array): PanelSource {
  return {
    sessions: table.sessions.length,
    symbols: table.symbols.length,
    observed: (k) => table.tables[k]!.sessions,
    column: (name, k) => table.tables[k]!.columns[name as PriceColumn],
    members,
  };
}

function leaveOutUnpublished(
  codes: Uint8Array,
  { kind, name }: ResolvedStrategy['universe'],
  { versions, instruments }: Pick<StrategyData, 'versions' | 'instruments'>,
  { sessions, symbols }: PriceTable,
): void {
  const K = symbols.length;
  if (versions !== null) {
    const sets = versions.map(({ since, symbols: members }) => ({ since, members: new Set(members) }));
    sessions.forEach((day, t) => {
      const current = sets.findLast(({ since }) => since <= day);
      for (let k = 0; k < K; k += 1)
        if (!current?.members.has(symbols[k]!)) codes[t * K + k] = NOT_PUBLISHED!;
    });
  }
  if (kind !== 'sector') return;
  const facts = Map.groupBy(instruments, ({ symbol }) => symbol);
  symbols.forEach((symbol, k) => {
    const known = knownTexts(facts.get(symbol) ?? [], 'sector', sessions);
    known.forEach((sector, t) => {
      if (sector !== name) codes[t * K + k] = NOT_PUBLISHED!;
    });
  });
}

/**
 * Returns the sector or status of an instrument for each session, as known at the end of the session; null if it was
 * not known. `facts` belong to one symbol and are ordered by day. A fact without this member changes nothing.
 */
export function knownTexts(
  facts: StrategyData['instruments'],
  member: 'sector' | 'status',
  sessions: readonly string[],
): (string | null)[] {
  const stated = facts.filter((fact) => fact[member] !== null);
  return sessions.map((day) => stated.findLast(({ since }) => since <= day)?.[member] ?? null);
}

function leaveOutBy(codes: Uint8Array, where: string | null, source: PanelSource): void {
  const read = where === null ? null : readCondition(where, priceColumns);
  if (!read?.ok) return;
  const holds = conditionPanel(read.parsed, source);
  for (let at = 0; at < codes.length; at += 1) {
    if (codes[at] === IN && holds[at] !== 1) codes[at] = holds[at] === 0 ? FALSE! : UNKNOWN!;
  }
}

/**
 * Keeps the symbols with the largest mean dollar volume. A symbol without a volume ranks last; ties are
 * ordered by symbol.
 */
function leaveOutSmallest(codes: Uint8Array, most: number, source: PanelSource): void {
  const { sessions: T, symbols: K } = source;
  if (K <= most) return;
  const volume = expressionPanel(
    {
      type: 'moving',
      name: 'mean',
      of: { type: 'column', name: 'dollar_volume' },
      periods: VOLUME_SESSIONS,
    },
    source,
  );
  for (let t = 0; t < T; t += 1) {
    const members = Array.from({ length: K }, (_, k) => k).filter((k) => codes[t * K + k] === IN);
    const sizeOf = (k: number) => (Number.isNaN(volume[t * K + k]) ? -1 : volume[t * K + k]!);
    members.sort((a, b) => sizeOf(b) - sizeOf(a) || a - b);
    for (const k of members.slice(most)) codes[t * K + k] = ABOVE_MOST!;
  }
}
