import { countBelow } from '../count-below.ts';
import type { FittedDetector, Scores, Table } from './table.ts';

/**
 * Fits the mean rank of a row over several methods. The rank by a method is the share of the reference rows that score
 * lower, from 0 to 1. An equal score is counted as one half. Ranks make methods with different units comparable.
 * The contributions are taken from the first method that computes contributions.
 *
 * Source: Aggarwal and Sathe, "Theoretical Foundations and Algorithms for Outlier Ensembles" (2015), averaging of
 * ranks.
 */
export function fitRankAverage(fitted: readonly FittedDetector[]): FittedDetector {
  const usual = fitted.map((each) => Float64Array.from(each.reference().scores).sort());
  const combine = (parts: readonly Scores[]): Scores => {
    const scores = Float64Array.from(parts[0]!.scores, (_, row) => {
      let total = 0;
      for (const [at, part] of parts.entries()) total += rankOf(usual[at]!, part.scores[row]!);
      return total / parts.length;
    });
    const contributions = parts.find((part) => part.contributions)?.contributions;
    return contributions ? { scores, contributions } : { scores };
  };
  return {
    reference: () => combine(fitted.map((each) => each.reference())),
    score: (rows: Table) => combine(fitted.map((each) => each.score(rows))),
  };
}

/**
 * Returns the share of reference scores that are at least as high as each score. If k of n reference scores are at
 * least as high, the share is (1 + k) / (n + 1), a valid p-value for a new row from the same distribution. For the rows
 * of the reference itself, the share is k / n.
 */
export function conformalP(
  reference: Float64Array,
  scores: Float64Array,
  { itself }: { itself: boolean },
): Float64Array {
  const ascending = Float64Array.from(reference).sort();
  const n = ascending.length;
  return scores.map((score) => {
    const fromScore = n - countBelow(ascending, score);
    return itself ? fromScore / n : (1 + fromScore) / (n + 1);
  });
}

function rankOf(ascending: Float64Array, score: number): number {
  const upTo = countBelow(ascending, score, { upTo: true });
  return (countBelow(ascending, score) + upTo) / 2 / ascending.length;
}
