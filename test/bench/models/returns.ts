import { readFileSync } from 'node:fs';

/** The file of the returns that the golden fits use: a date and ten factors per line. */
export const RETURNS = new URL('../../golden/monthly_logret_10.csv', import.meta.url);

/** Returns the returns by month. */
export function monthlyReturns(): Float64Array {
  const [, ...lines] = readFileSync(RETURNS, 'utf8').trim().split('\n');
  return Float64Array.from(lines.flatMap((line) => line.split(',').slice(1).map(Number)));
}
