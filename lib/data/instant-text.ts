/** Converts a UTC timestamp of PostgreSQL, such as `2020-01-31 23:59:59.999999+00`, to ISO 8601 with microseconds. */
export function isoInstant(text: string): string {
  return text.replace(' ', 'T').replace(/\+00$/, 'Z');
}
