/** The compounded return of a calendar period: a year (`2019`) or a month (`2019-03`). */
export type PeriodReturn = { period: string; return: number };

/**
 * Returns the compounded returns of calendar periods, oldest first. The first and the last period may be incomplete.
 *
 * Shapes: `dates` n dates in order; `returns` n simple returns, of the sessions that end on these dates. `length`: 4
 * for years, 7 for months: the number of characters of a date that name the period.
 *
 * Example: 0.5 on 2019-12-31 and 0.2 on 2020-01-02 are `{ period: '2019', return: 0.5 }` and `{ period: '2020', ... }`.
 */
export function periodReturns(
  dates: readonly string[],
  returns: ArrayLike<number>,
  length: 4 | 7,
): PeriodReturn[] {
  const found: PeriodReturn[] = [];
  let level = 1;
  for (const [at, date] of dates.entries()) {
    const period = date.slice(0, length);
    if (found.at(-1)?.period !== period) {
      level = 1;
      found.push({ period, return: 0 });
    }
    level *= 1 + returns[at]!;
    found.at(-1)!.return = level - 1;
  }
  return found;
}
