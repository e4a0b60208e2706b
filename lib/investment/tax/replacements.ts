import { compareText } from '#lib/core/compare-text.ts';
import { trackingVariance, type FactorView } from './tracking-variance.ts';

export type ReplacementCandidate = FactorView & {
  symbol: string;
  /** The themes or the sector of the security. */
  themes: readonly string[];
  /** Returns in the same periods as the returns of the sold security; null for a period without a return. */
  returns: readonly (number | null)[];
};

export type Replacement = {
  symbol: string;
  /** The variance of the difference between the returns of the two securities. */
  distance: number;
  /**
   * The correlation over the common periods. Null if there are fewer than 3 common periods, or if a return
   * does not vary.
   */
  correlation: number | null;
  periods: number;
  /** In code-unit order. */
  sharedThemes: string[];
};

export type ReplacementOptions = {
  /** The covariance matrix of the factors, k-by-k. */
  covariance: readonly (readonly number[])[];
  /**
   * Symbols that are never proposed: the sold symbol, the symbols of identical securities, and other symbols
   * that are sold at a loss.
   */
  excluded: readonly string[];
  most: number;
};

const PERIODS_MIN = 3;

/**
 * Ranks securities that can replace a sold security: the smallest tracking variance first, ties by symbol in
 * code-unit order. Returns at most `most` securities. Throws a `RangeError` in the same cases as
 * `trackingVariance`.
 */
export function rankReplacements(
  sold: ReplacementCandidate,
  candidates: readonly ReplacementCandidate[],
  { covariance, excluded, most }: ReplacementOptions,
): Replacement[] {
  const barred = new Set([sold.symbol, ...excluded]);
  return candidates
    .filter(({ symbol }) => !barred.has(symbol))
    .map((candidate) => ({ candidate, distance: trackingVariance(sold, candidate, covariance) }))
    .toSorted((a, b) => a.distance - b.distance || compareText(a.candidate.symbol, b.candidate.symbol))
    .slice(0, most)
    .map(({ candidate, distance }) => ({
      symbol: candidate.symbol,
      distance,
      ...correlationOf(sold.returns, candidate.returns),
      sharedThemes: candidate.themes.filter((theme) => sold.themes.includes(theme)).toSorted(compareText),
    }));
}

/**
 * Returns Pearson's correlation over the periods in which both series have a return. Sums run in the order of
 * the periods.
 */
export function correlationOf(
  a: readonly (number | null)[],
  b: readonly (number | null)[],
): { correlation: number | null; periods: number } {
  const pairs = a.flatMap((value, at): [number, number][] => {
    const other = b[at];
    return value === null || other === null || other === undefined ? [] : [[value, other]];
  });
  const periods = pairs.length;
  if (periods < PERIODS_MIN) return { correlation: null, periods };
  const mean = (column: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[column], 0) / periods;
  const [meanA, meanB] = [mean(0), mean(1)];
  let [products, squaresA, squaresB] = [0, 0, 0];
  for (const [one, other] of pairs) {
    products += (one - meanA) * (other - meanB);
    squaresA += (one - meanA) * (one - meanA);
    squaresB += (other - meanB) * (other - meanB);
  }
  if (!(squaresA > 0 && squaresB > 0)) return { correlation: null, periods };
  const correlation = products / (Math.sqrt(squaresA) * Math.sqrt(squaresB));
  return { correlation: Math.min(Math.max(correlation, -1), 1), periods };
}
