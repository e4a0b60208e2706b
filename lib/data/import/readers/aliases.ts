/** Other names for Assay's columns, in the form that `plainName` returns. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

const date = ['observation_date', 'datetime', 'trade_date', 'trading_date'];
const symbol = ['ticker', 'ticker_symbol'];

/** The aliases by kind of file. They cover the names in FRED and ALFRED first, then OpenBB, yfinance and Yahoo. */
export const aliases = {
  prices: {
    symbol,
    date,
    adj_close: ['adjclose', 'adjusted_close', 'close_adjusted'],
    volume: ['vol'],
  },
  instruments: {
    symbol,
    name: ['security', 'company', 'company_name', 'security_name', 'long_name'],
    sector: ['gics_sector'],
    sub_industry: ['gics_sub_industry', 'industry'],
  },
  economics: {
    series: ['series_id', 'symbol'],
    date,
    value: [],
    known_at: ['realtime_start', 'realtime_start_date', 'vintage_date', 'vintage'],
  },
  economic_series: {
    series: ['series_id', 'id', 'key'],
    frequency: ['freq'],
    unit: ['units'],
    licence: ['license'],
    seasonal_adjustment: ['seasonally_adjusted'],
  },
} satisfies Record<string, Aliases>;

/**
 * Normalises a column name: lower case, with `_` between words.
 *
 * Example: `plainName('Adj. Close*')` is `adj_close`.
 */
export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
