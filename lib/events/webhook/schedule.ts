import { instantOf } from '#lib/core/clock.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses after failed attempts, in milliseconds. They allow ten attempts within about 76 hours. */
const pausesMs = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** The longest wait that a receiver may request by `Retry-After`, in milliseconds. */
const RETRY_AFTER_MS_MAX = 24 * HOUR;
/** A webhook is disabled if all its attempts have failed for this time, in milliseconds. */
const FAILING_MS = 72 * HOUR;

/** The outcome of an attempt: an HTTP status, or the reason why there is no status. */
export type Attempted = {
  status?: number | undefined;
  error?: string | undefined;
  /** The wait that the receiver requests, in milliseconds. */
  retryAfterMs?: number | undefined;
};

export type Consequence =
  | { next: 'delivered' }
  | { next: 'retry'; dueAt: Date }
  | { next: 'failed' }
  /**
   * The webhook is disabled, because the receiver answered 410 (`gone`) or because all attempts failed for
   * `FAILING_MS` (`failing`).
   */
  | { next: 'disable'; cause: 'gone' | 'failing' };

/**
 * Decides the consequence of an attempt. `attempt` is the number of the attempt, from 1. `failingSince` is
 * the time of the first failure after the last success. `jitter`, from 0 to 1, adds up to a tenth of the
 * pause, so that attempts are spread over time.
 */
export function consequenceOf(
  { status, retryAfterMs = 0 }: Attempted,
  facts: { attempt: number; failingSince: Date | null; now: Date; jitter: number },
): Consequence {
  const { attempt, failingSince, now, jitter } = facts;
  if (isTaken({ status })) return { next: 'delivered' };
  if (status === 410) return { next: 'disable', cause: 'gone' };
  if (failingSince && now.getTime() - failingSince.getTime() >= FAILING_MS) {
    return { next: 'disable', cause: 'failing' };
  }
  const pause = pausesMs[attempt - 1];
  if (pause === undefined) return { next: 'failed' };
  const wait = Math.max(pause * (1 + jitter / 10), Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
  return { next: 'retry', dueAt: instantOf(now.getTime() + Math.round(wait)) };
}

/** Whether a receiver has accepted the message. */
export function isTaken({ status }: Attempted): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/**
 * Parses a `Retry-After` header, in seconds or as an HTTP date, into milliseconds; undefined if there is no valid
 * header.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const until = instantOf(header).getTime();
  return Number.isNaN(until) ? undefined : Math.max(0, until - now.getTime());
}
