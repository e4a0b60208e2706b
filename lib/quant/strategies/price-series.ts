import type { PriceBarsText } from '#lib/data/price-bars.query.ts';
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

/** Parses the prices of a symbol. Example: `2020-01-02 1 2 1 2 - 100` is one day without an adjusted close. */
export function readPriceSeries({ symbol, basis, bars, assumed }: PriceBarsText): PriceSeries {
  const rows = bars.split(',');
  const columns = Array.from({ length: COLUMNS }, () => new Float64Array(rows.length));
  const days = rows.map((row, at) => {
    const values = row.split(' ');
    for (let column = 0; column < COLUMNS; column += 1) {
      const text = values[column + 1]!;
      columns[column]![at] = text === '-' ? Number.NaN : Number(text);
    }
    return values[0]!;
  });
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
