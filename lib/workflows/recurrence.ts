import { CronExpressionParser } from 'cron-parser';
import { instantOf } from '#lib/core/clock.ts';

/** The recurrence of a schedule: a fixed interval in seconds, or five cron fields in a time zone. */
export type Recurrence = { every: number } | { cron: string; timeZone: string };

export const EVERY_SECONDS = { min: 60, max: 31_622_400 };

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * Parses an interval such as `15m`, `6h`, `1d` or `2w` into seconds. Returns undefined if the interval is malformed or
 * out of range.
 */
export function readEvery(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,6})([mhdw])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit ?? ''] ?? NaN);
  return seconds >= EVERY_SECONDS.min && seconds <= EVERY_SECONDS.max ? seconds : undefined;
}

/**
 * Whether a text has five cron fields (minute, hour, day of the month, month, day of the week) that contain only digits
 * and `* , - /` and match at least one time.
 */
export function isCron(text: string): boolean {
  if (text.length > 100 || !/^[\d*,/-]+( [\d*,/-]+){4}$/.test(text)) return false;
  try {
    CronExpressionParser.parse(text, { currentDate: 0, tz: 'UTC' }).next();
    return true;
  } catch {
    return false;
  }
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the first start time after an instant. A fixed interval is counted from that instant. */
export function firstAfter(recurrence: Recurrence, at: Date): Date {
  return 'every' in recurrence
    ? instantOf(at.getTime() + recurrence.every * 1_000)
    : cronFrom(recurrence, at).next().toDate();
}

/** The largest number of missed start times that are counted. */
const MISSED_MAX = 1_000;

/**
 * The due start times: the latest due start time, the number of missed earlier start times (at most `MISSED_MAX`), and
 * the next start time.
 */
export type Due = { latest: Date; missed: number; next: Date };

/**
 * Returns the due start times from `due`, which has passed, up to `now`. All due times together cause one start, for
 * the latest time.
 */
export function dueBy(recurrence: Recurrence, due: Date, now: Date): Due {
  if ('every' in recurrence) {
    const step = recurrence.every * 1_000;
    const passed = Math.floor((now.getTime() - due.getTime()) / step);
    const latest = due.getTime() + passed * step;
    return {
      latest: instantOf(latest),
      missed: Math.min(passed, MISSED_MAX),
      next: instantOf(latest + step),
    };
  }
  const times = cronFrom(recurrence, due);
  let [latest, missed] = [due, 0];
  for (;;) {
    const time = times.next().toDate();
    if (time > now) return { latest, missed, next: time };
    missed += 1;
    latest = time;
    if (missed === MISSED_MAX) break;
  }
  const after = cronFrom(recurrence, now);
  return {
    latest: cronFrom(recurrence, instantOf(now.getTime() + 1))
      .prev()
      .toDate(),
    missed,
    next: after.next().toDate(),
  };
}

function cronFrom({ cron, timeZone }: Extract<Recurrence, { cron: string }>, at: Date) {
  return CronExpressionParser.parse(cron, { currentDate: at, tz: timeZone });
}
