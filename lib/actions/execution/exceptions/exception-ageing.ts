import type { SettlementCalendar } from '../batch/calendar.ts';
import { ageBuckets, ageOf, type ExceptionKind } from './exception-kinds.ts';

/** An open exception: its kind, and the day on which it was opened (UTC). */
export type OpenException = { kind: ExceptionKind; openedOn: string };

export type ExceptionAgeing = {
  open: number;
  /** The open exceptions by kind, in alphabetical order of the kinds. Ages are in business days. */
  by_kind: { kind: ExceptionKind; count: number; oldest_days: number }[];
  /** The number of open exceptions by age, youngest first. */
  by_age: { days: (typeof ageBuckets)[number]; count: number }[];
};

/** Counts open exceptions by kind, and by age in business days as of `today`. */
export function digestExceptions(
  open: readonly OpenException[],
  calendar: SettlementCalendar,
  today: string,
): ExceptionAgeing {
  const aged = open.map(({ kind, openedOn }) => ({ kind, ...ageOf(calendar, openedOn, today) }));
  const kinds = [...new Set(aged.map(({ kind }) => kind))].sort();
  return {
    open: aged.length,
    by_kind: kinds.map((kind) => {
      const own = aged.filter((each) => each.kind === kind);
      return { kind, count: own.length, oldest_days: Math.max(...own.map(({ days }) => days)) };
    }),
    by_age: ageBuckets.map((bucket) => ({
      days: bucket,
      count: aged.filter((each) => each.bucket === bucket).length,
    })),
  };
}
