import { asList, asText, type Members } from './golden-file.ts';
import { type LongPrices, readLongPrices, simpleReturns } from './price-table.ts';

/** Daily simple returns of the 25 stocks of `portfolio_sp25`, by symbol, and the date of each return. */
export type Sp25Returns = { dates: string[]; returns: Map<string, Float64Array> };

/** Reads the adjusted closes that the file `portfolio_sp25` names. */
export function sp25Prices(file: Members, path: string): LongPrices {
  const symbols = asList(file['symbols'], 'symbols').map((each) => asText(each, 'a symbol'));
  const [name = '', range = ''] = asText(file['data'], 'data').split(' adj_close, ');
  const [from = '', to = ''] = range.split('..');
  return readLongPrices(name, path, { symbols, from, to });
}

export function sp25Returns({ dates, prices }: LongPrices): Sp25Returns {
  const returns = new Map([...prices].map(([symbol, each]) => [symbol, simpleReturns(each)]));
  return { dates: dates.slice(1), returns };
}
