import { lastDayOfPeriod } from '#lib/data/period-steps.ts';
import type { PeriodFrequency } from '#lib/data/period.ts';
import type { PeriodValue } from './period-grid.ts';

/** The ways in which the values of shorter periods become the value of a longer period. */
export type Aggregation = 'sum' | 'mean' | 'last';

/** The frequencies from the shortest period to the longest. */
export const frequenciesByLength: readonly PeriodFrequency[] = [
  'daily',
  'weekly',
  'monthly',
  'quarterly',
  'yearly',
];

/**
 * Minimum number of values in a longer period that counts as complete. For daily values, the business days are enough.
 */
const observationsMin: Readonly<Record<PeriodFrequency, Partial<Record<PeriodFrequency, number>>>> = {
  daily: { weekly: 3, monthly: 15, quarterly: 50, yearly: 220 },
  weekly: { monthly: 4, quarterly: 12, yearly: 51 },
  monthly: { quarterly: 3, yearly: 12 },
  quarterly: { yearly: 4 },
  yearly: {},
};

/** Whether values of one frequency can be aggregated to another: the same frequency, or longer periods. */
export function canCoarsen(from: PeriodFrequency, to: PeriodFrequency): boolean {
  return from === to || observationsMin[from][to] !== undefined;
}

/**
 * Aggregates values to longer periods. The values must be in ascending order of their periods. A period with too few
 * values, such as an unfinished period, is left out. A week belongs to the period of its Sunday. Throws a `RangeError`
 * if `canCoarsen` is false.
 *
 * Example: the months 1, 2, 3 of a quarter give 6 as a sum, 2 as a mean, and 3 as the last value.
 */
export function coarsen(
  observed: readonly PeriodValue[],
  { from, to, how }: { from: PeriodFrequency; to: PeriodFrequency; how: Aggregation },
): PeriodValue[] {
  if (from === to) return [...observed];
  const needed = observationsMin[from][to];
  if (needed === undefined) throw new RangeError(`${from} values cannot be aggregated to ${to} values`);
  const groups = Map.groupBy(observed, ({ lastDay }) => lastDayOfPeriod(to, lastDay));
  return [...groups]
    .filter(([, values]) => values.length >= needed)
    .map(([lastDay, values]) => ({ lastDay, value: aggregate(values, how) }));
}

function aggregate(values: readonly PeriodValue[], how: Aggregation): number {
  if (how === 'last') return values.at(-1)!.value;
  let sum = 0;
  for (const { value } of values) sum += value;
  return how === 'sum' ? sum : sum / values.length;
}
