import type { SymbolPriceText } from './price-text.ts';

/** Series with one value a row, NaN where a symbol has none. Rows are sessions or months. */
export type DenseSeries = {
  /** Ascending dates. Of a month, the latest date of any symbol. */
  dates: string[];
  valuesOf: ReadonlyMap<string, Float64Array>;
};

/**
 * Returns series on common rows: the last `rows` dates, or months, at which any of the symbols of `calendar` has a value.
 *
 * Example: for `A` with `2020-01-02 1,2020-01-03 2` and `B` with `2020-01-03 5`, two rows are 2020-01-02 and 2020-01-03,
 * and `B` has [NaN, 5].
 */
export function denseSeries(
  texts: readonly SymbolPriceText[],
  { rows, calendar, by }: { rows: number; calendar: ReadonlySet<string>; by: 'day' | 'month' },
): DenseSeries {
  const length = by === 'day' ? 10 : 7;
  const parsed = texts.map(({ symbol, observations }) => ({ symbol, cells: observations.split(',') }));
  const latest = new Map<string, string>();
  for (const { symbol, cells } of parsed) {
    if (!calendar.has(symbol)) continue;
    for (const cell of cells.slice(-rows)) {
      const date = cell.slice(0, 10);
      const key = date.slice(0, length);
      const before = latest.get(key);
      if (before === undefined || date > before) latest.set(key, date);
    }
  }
  const keys = [...latest.keys()].sort((one, other) => (one < other ? -1 : 1)).slice(-rows);
  const places = new Map(keys.map((key, place) => [key, place]));
  return {
    dates: keys.map((key) => latest.get(key)!),
    valuesOf: new Map(
      parsed.map(({ symbol, cells }) => {
        const values = new Float64Array(keys.length).fill(Number.NaN);
        for (const cell of cells) {
          const place = places.get(cell.slice(0, length));
          if (place !== undefined) values[place] = Number(cell.slice(11));
        }
        return [symbol, values];
      }),
    ),
  };
}
