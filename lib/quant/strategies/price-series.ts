import { textOfBars, type PriceBarsText } from '#lib/data/price-bars.ts';
import type { PriceColumn } from './strategy-formulas.ts';

/** The prices of a symbol on its observed days, oldest first. Values that were not observed are NaN. */
export type PriceSeries = {
  symbol: string;
  basis: PriceBarsText['basis'];
  days: string[];
  columns: Record<Exclude<PriceColumn, 'adj_close'>, Float64Array>;
  /** The adjusted closes as imported, or the closes if there are no adjusted closes. */
  adjusted: Float64Array;
  assumed: number;
};

/** Number of values of a bar, without its day. */
const COLUMNS = 6;

/** Returns the observed days of a symbol. Equal days of all symbols with the same `known` are the same text in memory. */
export function observedDays(text: Pick<PriceBarsText, 'bars'>, known: Map<string, string>): string[] {
  const bars = textOfBars(text);
  const days: string[] = [];
  for (let at = 0; at >= 0;) {
    const day = bars.slice(at, bars.indexOf(' ', at));
    const same = known.get(day);
    if (same === undefined) known.set(day, day);
    days.push(same ?? day);
    const next = bars.indexOf(',', at);
    at = next < 0 ? -1 : next + 1;
  }
  return days;
}

/**
 * Parses the prices of a symbol on its observed days. Example: `2020-01-02 1 2 1 2 - 100` is one day without an adjusted
 * close.
 */
export function readPriceSeries(text: PriceBarsText, days: string[]): PriceSeries {
  const { symbol, basis, assumed } = text;
  const bars = textOfBars(text);
  const columns = Array.from({ length: COLUMNS }, () => new Float64Array(days.length));
  let begin = 0;
  for (let at = 0; at < days.length; at += 1) {
    const comma = bars.indexOf(',', begin);
    const values = bars.slice(begin, comma < 0 ? undefined : comma).split(' ');
    begin = comma + 1;
    for (let column = 0; column < COLUMNS; column += 1) {
      const value = values[column + 1]!;
      columns[column]![at] = value === '-' ? Number.NaN : Number(value);
    }
  }
  const [open, high, low, close, adjusted, volume] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  // A price that is not above 0 counts as missing.
  for (const prices of [open, high, low, close, adjusted]) keepPositive(prices);
  return {
    symbol,
    basis,
    days,
    columns: { open, high, low, close, volume, dollar_volume: close.map((price, at) => price * volume[at]!) },
    adjusted: adjusted.map((price, at) => (Number.isNaN(price) ? close[at]! : price)),
    assumed,
  };
}

function keepPositive(prices: Float64Array): void {
  for (let at = 0; at < prices.length; at += 1) if (!(prices[at]! > 0)) prices[at] = Number.NaN;
}
