/** The source of the current time. Tests can replace it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Returns the UTC calendar date of an instant, `YYYY-MM-DD`. */
export function utcDate(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/**
 * Returns the instant of an ISO 8601 text with a time zone, or of milliseconds since 1970. Returns an invalid
 * date for an invalid text.
 */
export function instantOf(named: string | number): Date {
  return new Date(named);
}
