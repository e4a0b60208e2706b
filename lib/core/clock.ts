/** Where the present comes from, so that tests can name their own. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** The UTC calendar date of an instant, `YYYY-MM-DD`. */
export function utcDate(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The instant that an ISO 8601 text with a zone, or milliseconds since 1970, names. Invalid where it names none. */
export function instantOf(named: string | number): Date {
  return new Date(named);
}
