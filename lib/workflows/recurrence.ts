import { CronExpressionParser } from 'cron-parser';
import { instantOf } from '#lib/core/clock.ts';

/** When something is started by the clock: so many seconds apart, or by five fields of cron in a time zone. */
export type Recurrence = { every: number } | { cron: string; timeZone: string };

export const EVERY_SECONDS = { min: 60, max: 31_622_400 };

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Seconds of a text such as `15m`, `6h`, `1d` or `2w`; undefined of another one, and out of range. */
export function readEvery(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,6})([mhdw])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit ?? ''] ?? NaN);
  return seconds >= EVERY_SECONDS.min && seconds <= EVERY_SECONDS.max ? seconds : undefined;
}

/** Whether it is minute, hour, day of the month, month and day of the week, of digits and `* , - /`, and ever comes. */
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

/** The first time after an instant; of `every`, counted from that instant. */
export function firstAfter(recurrence: Recurrence, at: Date): Date {
  return 'every' in recurrence
    ? instantOf(at.getTime() + recurrence.every * 1_000)
    : cronFrom(recurrence, at).next().toDate();
}

/** More times that were missed are not counted. */
const MISSED_MAX = 1_000;

/** The times that have come: the latest, how many before it nothing was started at, and the next one to come. */
export type Due = { latest: Date; missed: number; next: Date };

/**
 * What has come of the times from `due` on, which has come, until `now`. Times that were missed are made up for once, by
 * the latest.
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
