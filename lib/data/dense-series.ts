import type { SymbolPriceText } from './price-text.ts';

/**
 * Series of symbols with common rows. A row is a day or a month. A value is NaN if a symbol has no value in the row.
 */
export type DenseSeries = {
  /**
   * The date of each row, ascending. For a month, the latest date in the month at which a symbol of the
   * calendar has a value.
   */
  dates: string[];
  valuesOf: ReadonlyMap<string, Float64Array>;
};

/**
 * Returns series with common rows: the last `rows` days or months in which at least one symbol of `calendar`
 * has a value.
 *
 * Example: for `A` with `2020-01-02 1,2020-01-03 2` and `B` with `2020-01-03 5`, the two rows are 2020-01-02
 * and 2020-01-03, and the values of `B` are [NaN, 5].
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
