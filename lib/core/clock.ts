/** The source of the current time, so that tests can set their own. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** The UTC calendar date of an instant, `YYYY-MM-DD`. */
export function utcDate(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/**
 * The instant named by an ISO 8601 text with a zone, or by milliseconds since 1970. The date is invalid if
 * the text is.
 */
export function instantOf(named: string | number): Date {
  return new Date(named);
}
