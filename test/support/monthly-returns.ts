import { readFileSync } from 'node:fs';

/** Real monthly log returns of ten stocks, 1990-02 to 2022-12. */
export const MONTHLY_RETURNS = readFileSync(
  new URL('../golden/monthly_logret_10.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line, at) => (at === 0 ? line.trim().replace('Date', 'date') : line.trim()));

export const FACTORS = MONTHLY_RETURNS[0]!.split(',').slice(1);
