export const instrumentStatuses = ['active', 'suspended', 'delisted', 'merged'] as const;
export type InstrumentStatus = (typeof instrumentStatuses)[number];

export function isInstrumentStatus(text: string): text is InstrumentStatus {
  return (instrumentStatuses as readonly string[]).includes(text);
}

/** A symbol of an instrument. `since` is the day from which it is known to have taken the place of `follows`. */
export type InstrumentSymbol = { symbol: string; follows: string | null; since: string | null };

/** Days are half-open: a symbol holds from `from` on, and no more on `until`. Null is without a bound. */
export type SymbolRange = { symbol: string; from: string | null; until: string | null };

/**
 * The days on which each symbol of an instrument holds, in their order. A change that is not known yet has not
 * happened: the symbol it leads to is left out.
 *
 * Example: META, which follows FB since 2022-06-09, gives FB until that day and META from it.
 */
export function symbolRanges(symbols: readonly InstrumentSymbol[]): SymbolRange[] {
  const first = symbols.filter(({ follows }) => follows === null);
  const later = symbols
    .filter(({ follows, since }) => follows !== null && since !== null)
    .sort((one, other) => (one.since! < other.since! ? -1 : one.since! > other.since! ? 1 : 0));
  const all = [...first, ...later];
  return all.map(({ symbol, follows, since }, at) => ({
    symbol,
    from: follows === null ? null : since,
    until: all[at + 1]?.since ?? null,
  }));
}

/**
 * The ranges of those symbols that a body of observations has. The first of them reaches back without a bound: many
 * vendors keep the whole history of an instrument under its newest symbol.
 */
export function rangesHeld(ranges: readonly SymbolRange[], held: ReadonlySet<string>): SymbolRange[] {
  const some = ranges.filter(({ symbol }) => held.has(symbol));
  return some.map((range, at) => ({
    symbol: range.symbol,
    from: at === 0 ? null : range.from,
    until: some[at + 1]?.from ?? null,
  }));
}

/** What was known of an instrument's sector from a day on. */
export type SectorRow = { sector: string | null; observedOn: string; knownAt: string; knownAtBasis: string };

/** The rows in which the sector is first said, or becomes another one. `rows` are in the order of their days. */
export function sectorChanges<Row extends SectorRow>(rows: readonly Row[]): Row[] {
  const changes: Row[] = [];
  for (const row of rows) {
    if (row.sector !== null && row.sector !== changes.at(-1)?.sector) changes.push(row);
  }
  return changes;
}
