import type { Distribution } from './disclosure.ts';
import { compareExact, parseExact } from './exact.ts';

export const positions = ['below_p25', 'p25_to_p50', 'p50_to_p75', 'above_p75'] as const;
export type Position = (typeof positions)[number];

/**
 * Returns the quarter of the distribution in which a figure lies; null if a quartile is not published. A figure equal
 * to the first or the second quartile lies in the quarter above that quartile; a figure equal to the third quartile
 * lies in the quarter below it. The quarter replaces a percentile, which would reveal the number of contributors.
 */
export function positionOf(own: string, distribution: Distribution | null): Position | null {
  const [p25, p50, p75] = [distribution?.p25, distribution?.p50, distribution?.p75].map((text) =>
    text == null ? undefined : parseExact(text),
  );
  const value = parseExact(own);
  if (!value || !p25 || !p50 || !p75) return null;
  if (compareExact(value, p25) < 0) return 'below_p25';
  if (compareExact(value, p50) < 0) return 'p25_to_p50';
  return compareExact(value, p75) <= 0 ? 'p50_to_p75' : 'above_p75';
}
