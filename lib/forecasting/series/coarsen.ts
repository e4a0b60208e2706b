import { lastDayOfPeriod } from '#lib/data/period-steps.ts';
import type { PeriodFrequency } from '#lib/data/period.ts';
import type { PeriodValue } from './period-grid.ts';

/** How values of shorter periods make that of a longer one. */
export type Aggregation = 'sum' | 'mean' | 'last';

/** The frequencies from the shortest period to the longest. */
export const frequenciesByLength: readonly PeriodFrequency[] = [
  'daily',
  'weekly',
  'monthly',
  'quarterly',
  'yearly',
];

/** How many values a longer period must have at least to be counted as whole. Of days, those of business suffice. */
const observationsMin: Readonly<Record<PeriodFrequency, Partial<Record<PeriodFrequency, number>>>> = {
  daily: { weekly: 3, monthly: 15, quarterly: 50, yearly: 220 },
  weekly: { monthly: 4, quarterly: 12, yearly: 51 },
  monthly: { quarterly: 3, yearly: 12 },
  quarterly: { yearly: 4 },
  yearly: {},
};

/** Whether values of one frequency can be brought to another: to itself, or to a longer period. */
export function canCoarsen(from: PeriodFrequency, to: PeriodFrequency): boolean {
  return from === to || observationsMin[from][to] !== undefined;
}

/**
 * Values by ascending period brought to longer periods. A period with too few values, as one that is not over, is left
 * out. Weeks are of the period that their Sunday is in. Throws a `RangeError` where `canCoarsen` says no.
 *
 * Example: the months 1, 2, 3 of a quarter give 6 as a sum, 2 as a mean, and 3 as the last.
 */
export function coarsen(
  observed: readonly PeriodValue[],
  { from, to, how }: { from: PeriodFrequency; to: PeriodFrequency; how: Aggregation },
): PeriodValue[] {
  if (from === to) return [...observed];
  const needed = observationsMin[from][to];
  if (needed === undefined) throw new RangeError(`${from} values make no ${to} ones`);
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
