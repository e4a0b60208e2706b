import { instantMs, isDate } from '#lib/core/date.ts';
import { utcDate } from '#lib/core/clock.ts';

/** A moment from a file, in a form that PostgreSQL reads, and its date in UTC. */
export type StatedInstant = { text: string; date: string };

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/**
 * Reads the moment at which something became known: an instant with its offset, or a date, which means the end of that
 * day (UTC). Returns the reason as text if the moment is not valid, for example because it is after `now`.
 *
 * Example: `readKnownAt('2020-09-30', now)` is `{ text: '2020-09-30 23:59:59.999999+00', date: '2020-09-30' }`.
 */
export function readKnownAt(text: string, now: Date): StatedInstant | string {
  if (!isDay(text)) return readInstant(text, now);
  return isAfter(text, now) ? 'is in the future' : { text: `${text} 23:59:59.999999+00`, date: text };
}

/**
 * Reads the moment of a publication: an instant with its offset, or a date, which means the start of that day (UTC), as
 * in `selectTaxonomyVersion`. Returns the reason as text if the moment is not valid.
 */
export function readPublishedAt(text: string, now: Date): StatedInstant | string {
  if (!isDay(text)) return readInstant(text, now);
  return isAfter(text, now) ? 'is in the future' : { text: `${text}T00:00:00Z`, date: text };
}

/** Whether two instants are equal to the millisecond. Two absent instants are equal. */
export function isSameMoment(one: StatedInstant | undefined, other: StatedInstant | undefined): boolean {
  return one === undefined || other === undefined ? one === other : momentOf(one) === momentOf(other);
}

function momentOf({ text }: StatedInstant): number {
  return Date.parse(text.replace(' ', 'T').replace(/\+00$/, 'Z'));
}

function readInstant(text: string, now: Date): StatedInstant | string {
  const day = INSTANT.exec(text)?.[1];
  if (day === undefined || !isDay(day)) {
    return 'is neither a date nor an instant such as 2020-09-30T16:00:00Z';
  }
  const instant = new Date(text.replace(' ', 'T'));
  if (instant > now) return 'is in the future';
  return { text, date: text.endsWith('Z') ? day : utcDate(instant) };
}

/** Whether a day is after the day of an instant (UTC). A day without a time is read as its start. */
function isAfter(day: string, now: Date): boolean {
  return instantMs(day) > now.getTime();
}

/** Whether a text is a date that PostgreSQL can store. PostgreSQL has no year 0. */
function isDay(text: string): boolean {
  return isDate(text) && text >= '0001-01-01';
}
