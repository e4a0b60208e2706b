import type { Preferences } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import { headerList, unquoted } from './header-list.ts';

const LONGEST_WAIT_S = 60;

/**
 * Parses the RFC 7240 preferences that Assay honours. Other preferences are ignored. If `wait` is repeated, the first
 * value is used. A wait above 60 s counts as 60 s.
 */
export function parsePrefer(header: string): Preferences {
  let respondAsync = false;
  let waitMs: number | undefined;
  for (const preference of headerList(header, ',')) {
    const [name = '', value = ''] = (headerList(preference, ';')[0] ?? '')
      .split('=')
      .map((part) => part.trim());
    if (name.toLowerCase() === 'respond-async') respondAsync = true;
    if (name.toLowerCase() === 'wait' && waitMs === undefined) {
      const seconds = unquoted(value);
      if (!/^\d{1,9}$/.test(seconds)) {
        throw new Problem('malformed_header', 'Prefer: wait takes a whole number of seconds.');
      }
      waitMs = Math.min(Number(seconds), LONGEST_WAIT_S) * 1_000;
    }
  }
  return { respondAsync, waitMs };
}
