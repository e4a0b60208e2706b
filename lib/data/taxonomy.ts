import { isDate } from '#lib/core/date.ts';
import { sha256 } from '#lib/core/seal.ts';

/**
 * The exposure of a symbol to a theme in one taxonomy version. `micro` is the exposure in millionths, an
 * integer from 0 to 1,000,000. Sums of products of such integers are exact in any order.
 */
export type ThemeExposure = { theme: string; symbol: string; micro: number };

export const MICRO = 1_000_000;

/**
 * Selects the taxonomy version in force at the end (UTC) of the as-of date: the last version published on or before
 * that date. If several versions were published at the same time, the last version in text order is selected. A draft
 * (a status other than `published`, or no publication date) is never selected. Returns `undefined` if nothing was
 * published yet.
 *
 * `publishedAt` is a date, or an instant in UTC that ends in `Z`. Throws a `RangeError` for any other text, and for an
 * as-of date that is not a date. Source: specification of svc_theme_factor_ridge_v1, step 1.
 *
 * Example: of 2016.1 (2016-07-02) and 2018.1 (2018-04-02T00:00:00Z), 2018-04-01 selects 2016.1, and 2018-04-02 selects
 * 2018.1.
 */
export function selectTaxonomyVersion<T extends { version: string; publishedAt: string; status?: string }>(
  versions: readonly T[],
  asOfDate: string,
): T | undefined {
  if (!isDate(asOfDate)) throw new RangeError(`not a date (YYYY-MM-DD): ${JSON.stringify(asOfDate)}`);
  let selected: T | undefined;
  let selectedInstant = '';
  for (const candidate of versions) {
    if (candidate.publishedAt === '' || (candidate.status ?? 'published') !== 'published') continue;
    const instant = sortableInstant(candidate.publishedAt);
    if (instant.slice(0, 10) > asOfDate) continue;
    const later =
      instant > selectedInstant || (instant === selectedInstant && candidate.version > selected!.version);
    if (selected === undefined || later) {
      selected = candidate;
      selectedInstant = instant;
    }
  }
  return selected;
}

/**
 * Converts a decimal text to an exposure in millionths. Further decimals are rounded half to even. Throws a
 * `RangeError` unless the text is a plain decimal (no sign, no exponent) from 0 to 1.
 *
 * Example: `exposureMicro('0.7500')` is 750000.
 */
export function exposureMicro(exposure: string): number {
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(exposure);
  if (parts === null) throw new RangeError(`not an exposure: ${JSON.stringify(exposure)}`);
  const decimals = parts[2] ?? '';
  const rest = decimals.slice(6);
  const kept = Number(parts[1]) * MICRO + Number(decimals.slice(0, 6).padEnd(6, '0'));
  if (kept > MICRO || (kept === MICRO && /[1-9]/.test(rest))) {
    throw new RangeError(`an exposure is at most 1: ${JSON.stringify(exposure)}`);
  }
  return kept + (roundsUp(rest, kept) ? 1 : 0);
}

/**
 * Returns the SHA-256 over the sorted lines `theme,symbol,micro` of the exposures above 0, each ended by a
 * line feed. The order of the exposures does not matter (the default sort compares code units). Source:
 * specification of svc_theme_factor_ridge_v1, step 12.
 */
export function taxonomyHash(exposures: readonly ThemeExposure[]): string {
  const lines = exposures
    .filter(({ micro }) => micro > 0)
    .map(({ theme, symbol, micro }) => `${theme},${symbol},${micro}\n`);
  return sha256(lines.sort().join(''));
}

function roundsUp(rest: string, kept: number): boolean {
  const first = rest.charCodeAt(0) - 48;
  if (!(first >= 5)) return false;
  return first > 5 || /[1-9]/.test(rest.slice(1)) || kept % 2 === 1;
}

/** Converts an instant to a form whose text order is its order in time. */
function sortableInstant(publishedAt: string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z)?$/.exec(publishedAt);
  if (parts === null || !isDate(parts[1]!)) {
    throw new RangeError(`not a date or an instant in UTC: ${JSON.stringify(publishedAt)}`);
  }
  return `${parts[1]}T${parts[2] ?? '00:00:00'}.${(parts[3] ?? '').padEnd(9, '0')}`;
}
