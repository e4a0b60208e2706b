import { businessDaysBetween, type SettlementCalendar } from '../batch/calendar.ts';

export const severities = ['low', 'medium', 'high'] as const;
export type Severity = (typeof severities)[number];

/**
 * The kinds of settlement exception. `endsBy: 'custody'`: only further custody evidence ends the exception,
 * or two persons waive it. `endsBy: 'person'`: one person can resolve the exception.
 */
export const exceptionKinds = {
  quantity_short: { severity: 'low', endsBy: 'custody' },
  quantity_over: { severity: 'high', endsBy: 'custody' },
  amount_difference: { severity: 'medium', endsBy: 'custody' },
  currency_mismatch: { severity: 'high', endsBy: 'custody' },
  instrument_mismatch: { severity: 'high', endsBy: 'custody' },
  side_mismatch: { severity: 'high', endsBy: 'custody' },
  account_mismatch: { severity: 'high', endsBy: 'custody' },
  date_early: { severity: 'medium', endsBy: 'person' },
  date_late: { severity: 'medium', endsBy: 'person' },
  unmatched_observation: { severity: 'medium', endsBy: 'person' },
  missing_observation: { severity: 'medium', endsBy: 'custody' },
  duplicate_observation: { severity: 'low', endsBy: 'person' },
  ambiguous_pairing: { severity: 'medium', endsBy: 'person' },
  settlement_failed: { severity: 'high', endsBy: 'custody' },
  source_conflict: { severity: 'high', endsBy: 'person' },
  post_close_contradiction: { severity: 'high', endsBy: 'person' },
  early_observation: { severity: 'medium', endsBy: 'person' },
} as const satisfies Record<string, { severity: Severity; endsBy: 'custody' | 'person' }>;

export type ExceptionKind = keyof typeof exceptionKinds;
export const exceptionKindNames = Object.keys(exceptionKinds) as ExceptionKind[];

/** Whether exceptions of this severity keep a batch from being closed. */
export function isBlocking(severity: Severity): boolean {
  return severity !== 'low';
}

export const ageBuckets = ['0-1', '2-3', '4-7', '8-30', '30+'] as const;
export type AgeBucket = (typeof ageBuckets)[number];

/**
 * Returns the age of an exception in business days, from its opening to the day `until`, and the bucket of that age.
 */
export function ageOf(
  calendar: SettlementCalendar,
  openedOn: string,
  until: string,
): { days: number; bucket: AgeBucket } {
  const days = businessDaysBetween(calendar, openedOn, until);
  const bounds = [1, 3, 7, 30];
  const at = bounds.findIndex((bound) => days <= bound);
  return { days, bucket: ageBuckets[at < 0 ? bounds.length : at]! };
}
