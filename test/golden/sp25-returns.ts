import { fileBeside } from './file-beside.ts';

/** Daily simple returns of the 25 stocks of `portfolio_sp25`, by symbol, and the date of each return. */
export type Sp25Returns = { dates: string[]; returns: Map<string, Float64Array> };

/**
 * Reads adjusted closing prices, one column a symbol, from `sp25_adj_close.csv` next to the golden file or from ours.
 * Throws a `GoldenFileError` if there is none.
 */
export function sp25Returns(path: string): Sp25Returns {
  const [head, ...rows] = fileBeside(path, 'sp25_adj_close.csv')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const [base, ...days] = rows.map((row) => row.slice(1).map(Number));
  const before = [base!, ...days];
  const series = head!
    .slice(1)
    .map((symbol, at): [string, Float64Array] => [
      symbol,
      Float64Array.from(days, (day, t) => day[at]! / before[t]![at]! - 1),
    ]);
  return { dates: rows.slice(1).map(([date]) => date!), returns: new Map(series) };
}
