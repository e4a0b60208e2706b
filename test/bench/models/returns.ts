import { readFileSync } from 'node:fs';

/** Where the returns stand that the golden fits are of: a date and ten factors a line. */
export const RETURNS = new URL('../../golden/monthly_logret_10.csv', import.meta.url);

/** The returns month by month. */
export function monthlyReturns(): Float64Array {
  const [, ...lines] = readFileSync(RETURNS, 'utf8').trim().split('\n');
  return Float64Array.from(lines.flatMap((line) => line.split(',').slice(1).map(Number)));
}
