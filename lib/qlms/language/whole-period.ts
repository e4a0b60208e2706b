import { addMonths } from '#lib/core/date.ts';
import type { QueryPeriod } from './query.ts';

/**
 * Returns the name of the quarter or year that a window of months covers: `2026-Q1` from 2026-01 to 2026-03. Undefined for
 * any other window.
 */
export function wholeName({ from = '', to }: QueryPeriod): string | undefined {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(from) ?? [];
  if (year === undefined || to === undefined) return undefined;
  const number = Number(month);
  if (number % 3 === 1 && to === addMonths(from, 2)) return `${year}-Q${(number + 2) / 3}`;
  return number === 1 && to === addMonths(from, 11) ? year : undefined;
}

/** Whether a change between two periods of a flow is one between their sums: both are quarters, or both are years. */
export function areSummed(end: QueryPeriod, base: QueryPeriod): boolean {
  const [one, other] = [wholeName(end), wholeName(base)];
  return one !== undefined && other !== undefined && one.length === other.length;
}
