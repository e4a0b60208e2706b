export const instrumentStatuses = ['active', 'suspended', 'delisted', 'merged'] as const;
export type InstrumentStatus = (typeof instrumentStatuses)[number];

export function isInstrumentStatus(text: string): text is InstrumentStatus {
  return (instrumentStatuses as readonly string[]).includes(text);
}

/**
 * A symbol of an instrument. `follows` is the symbol that it replaced; null for the first symbol. `since` is
 * the first day on which it applies; null for the first symbol, or if this day is not known yet.
 */
export type InstrumentSymbol = { symbol: string; follows: string | null; since: string | null };

/**
 * A half-open range of days: the symbol applies from `from` until the day before `until`. A null means that the range
 * has no bound on that side.
 */
export type SymbolRange = { symbol: string; from: string | null; until: string | null };

/**
 * Returns the days on which each symbol of an instrument applies, in order. A symbol whose change is not known yet is
 * left out.
 *
 * Example: META replaced FB on 2022-06-09. FB applies before that day and META from that day on.
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
 * Returns the ranges of the symbols that a dataset contains. The first range has no lower bound, because many
 * vendors store the whole history of an instrument under its newest symbol.
 */
export function rangesHeld(ranges: readonly SymbolRange[], held: ReadonlySet<string>): SymbolRange[] {
  const some = ranges.filter(({ symbol }) => held.has(symbol));
  return some.map((range, at) => ({
    symbol: range.symbol,
    from: at === 0 ? null : range.from,
    until: some[at + 1]?.from ?? null,
  }));
}

/** The sector of an instrument from a day on, and the moment at which it became known. */
export type SectorRow = { sector: string | null; observedOn: string; knownAt: string; knownAtBasis: string };

/** Returns the rows in which the sector is first stated or changes. `rows` must be ordered by day. */
export function sectorChanges<Row extends SectorRow>(rows: readonly Row[]): Row[] {
  const changes: Row[] = [];
  for (const row of rows) {
    if (row.sector !== null && row.sector !== changes.at(-1)?.sector) changes.push(row);
  }
  return changes;
}
