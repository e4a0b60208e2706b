/**
 * Converts a UTC timestamp of PostgreSQL to ISO 8601, to the microsecond, such as `2020-01-31
 * 23:59:59.999999+00`.
 */
export function isoInstant(text: string): string {
  return text.replace(' ', 'T').replace(/\+00$/, 'Z');
}
