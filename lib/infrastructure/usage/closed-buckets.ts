import { instantAt } from '#lib/core/date.ts';
import { sha256 } from '#lib/core/seal.ts';
import { bucketsOf, floorOf, type Bucket } from './meters.ts';
import { sumOf } from './reconcile.ts';
import type { UsageBucket } from './usage-records.query.ts';

/** The hours after the end of a day until its bucket closes. */
const CLOSES_AFTER_HOURS = 48;
/** The number of past days that are still closed after the scheduler was stopped. */
const DAYS_BACK = 7;

/** The stored usage of a closed day (UTC). */
export type ClosedDay = {
  /** The start of the day, ISO 8601. */
  day: string;
  value: string | null;
  currency: string | null;
  records: number;
  hash: string;
};

/** A bucket as the API returns it. `late` is the number of records that arrived after the bucket had closed. */
export type AnsweredBucket = UsageBucket & { isClosed: boolean; late: number };

/** Returns the newest days (UTC) that ended at least 48 hours ago, oldest first. */
export function closableDays(now: Date): Bucket[] {
  const end = floorOf(instantAt(now.getTime() - CLOSES_AFTER_HOURS * 3_600_000), 'day');
  const days = bucketsOf(instantAt(end.getTime() - DAYS_BACK * 86_400_000), end, 'day');
  return days.ok ? days.buckets : [];
}

/**
 * Replaces the buckets of closed days by their stored usage. A bucket of several days is closed if all of its days are
 * closed. Its value is then the exact sum of the values of its days or, for a meter whose values are totals, the value
 * of its last day.
 */
export function withClosed(
  buckets: readonly UsageBucket[],
  closed: readonly ClosedDay[],
  isTotal: boolean,
): AnsweredBucket[] {
  const stored = new Map(closed.map((each) => [each.day, each]));
  return buckets.map((bucket) => {
    const days = wholeDays(bucket).map((day) => stored.get(day));
    const own = days.filter((day) => day !== undefined);
    if (own.length === 0 || own.length < days.length || bucket.source === null)
      return { ...bucket, isClosed: false, late: 0 };
    const counted = isTotal ? [own.at(-1)!] : own;
    const records = counted.reduce((sum, each) => sum + each.records, 0);
    const hash = counted.length === 1 ? counted[0]!.hash : sha256(counted.map((each) => each.hash).join(','));
    return {
      ...bucket,
      ...valueOf(counted),
      source: { ...bucket.source, records, hash },
      isClosed: true,
      late: Math.max(0, bucket.source.records - records),
    };
  });
}

/** Returns the starts of the days of a bucket; an empty list for a bucket that is shorter than a day. */
function wholeDays({ from, to }: Bucket): string[] {
  const days = bucketsOf(from, to, 'day');
  return days.ok ? days.buckets.map((day) => day.from.toISOString()) : [];
}

function valueOf(days: readonly ClosedDay[]): Pick<UsageBucket, 'value' | 'currency'> {
  const currencies = new Set(days.flatMap(({ currency }) => currency ?? []));
  const values = days.flatMap(({ value }) => value ?? []);
  if (currencies.size > 1 || values.length < days.length) return { value: null, currency: null };
  return { value: sumOf(values), currency: [...currencies][0] ?? null };
}
