import { laterPeriod, periodsFrom } from '#lib/data/period-steps.ts';
import { periodName, type PeriodFrequency } from '#lib/data/period.ts';

/** A value of a period, identified by the last day of the period. */
export type PeriodValue = { lastDay: string; value: number };

/** Consecutive periods, the first identified by its last day. A missing value is null. */
export type PeriodGrid = { frequency: PeriodFrequency; first: string; values: (number | null)[] };

/**
 * Returns a grid of values of one frequency. `observed` must be in ascending order of its periods. Periods between them
 * without a value get null. Returns undefined if there are no values. Example: 2024-01 and 2024-03 give three periods,
 * and the value of the second is null.
 */
export function periodGrid(
  frequency: PeriodFrequency,
  observed: readonly PeriodValue[],
): PeriodGrid | undefined {
  const [first] = observed;
  if (!first) return undefined;
  const count = periodsFrom(frequency, first.lastDay, observed.at(-1)!.lastDay) + 1;
  const values = Array.from({ length: count }, (): number | null => null);
  for (const { lastDay, value } of observed) values[periodsFrom(frequency, first.lastDay, lastDay)] = value;
  return { frequency, first: first.lastDay, values };
}

/** Returns the last periods of a grid, at most `max` periods. */
export function newestPeriods({ frequency, first, values }: PeriodGrid, max: number): PeriodGrid {
  const left = Math.max(0, values.length - max);
  return { frequency, first: laterPeriod(frequency, first, left), values: values.slice(left) };
}

/**
 * Returns the names of `count` consecutive periods, starting with the period that has this last day. Example:
 * `2024-Q4`, `2025-Q1`.
 */
export function periodNames(frequency: PeriodFrequency, first: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    periodName({ frequency, lastDay: laterPeriod(frequency, first, at) }),
  );
}
