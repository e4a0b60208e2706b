import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { StrategyData } from '#lib/quant/strategies/strategy-data.ts';
import { parseGoldenFile } from '../../golden/golden-file.ts';
import type { LongPrices } from '../../golden/price-table.ts';
import { sp25Prices } from '../../golden/sp25-market.ts';

const FILE = path.join(import.meta.dirname, '../../golden/portfolio_sp25.json');

/** Reads the adjusted closes of 25 stocks from 2015-12-31 to 2019-12-31, without gaps. */
export function readSp25(): LongPrices {
  return sp25Prices(parseGoldenFile(readFileSync(FILE, 'utf8')), FILE);
}

/** Returns the data of a strategy over the first sessions of a price table. */
export function strategyDataOf({ dates, prices }: LongPrices, sessions: number): StrategyData {
  const days = dates.slice(0, sessions);
  return {
    from: days[0]!,
    to: days.at(-1)!,
    symbols: [...prices.keys()],
    isTooLarge: false,
    prices: [...prices].map(([symbol, closes]) => ({
      symbol,
      basis: 'quoted',
      bars: days.map((day, at) => `${day} - - - ${closes[at]} ${closes[at]} -`).join(','),
      assumed: 0,
    })),
    actions: [],
    versions: null,
    instruments: [],
    themes: [],
    features: [],
    rates: [],
  };
}
