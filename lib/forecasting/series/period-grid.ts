import { laterPeriod, periodsFrom } from '#lib/data/period-steps.ts';
import { periodName, type PeriodFrequency } from '#lib/data/period.ts';

/** A value of a period, by the last day of the period. */
export type PeriodValue = { lastDay: string; value: number };

/** Consecutive periods, the first by its last day; null where nothing is known. */
export type PeriodGrid = { frequency: PeriodFrequency; first: string; values: (number | null)[] };

/**
 * Values of one frequency by ascending period, with the periods between them that have none. Undefined without values.
 * Example: of 2024-01 and 2024-03 it has three periods, the second null.
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

/** The last of its periods, at most `most` of them. */
export function newestPeriods({ frequency, first, values }: PeriodGrid, max: number): PeriodGrid {
  const left = Math.max(0, values.length - max);
  return { frequency, first: laterPeriod(frequency, first, left), values: values.slice(left) };
}

/** Names of `count` periods from the one with this last day on. Example: `2024-Q4`, `2025-Q1`. */
export function periodNames(frequency: PeriodFrequency, first: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    periodName({ frequency, lastDay: laterPeriod(frequency, first, at) }),
  );
}
