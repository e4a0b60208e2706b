import { averageRanks } from '../average-ranks.ts';
import { chiSquareTail } from '../distributions/incomplete-gamma.ts';
import { fisherTail } from '../distributions/student-t.ts';
import { normalRangeQuantile, normalRangeTail } from '../distributions/studentised-range.ts';

export type RankComparison = {
  /** The mean rank of each model over the blocks; 1 is the smallest loss, ties share their mean rank. */
  ranks: Float64Array;
  /** Test of the hypothesis that all models have equal ranks; null if all losses are tied in every block. */
  friedman: { statistic: number; degrees: number; p: number; f: number | null; fP: number | null } | null;
  /** Two models differ significantly if their mean ranks differ by more than this number. */
  criticalDistance: number;
  /** For each model, the p-value of the comparison with the best mean rank (Nemenyi); 1 for the best. */
  againstBest: Float64Array;
};

/**
 * Compares models by the ranks of their losses in each block, with the test of Friedman and the critical distance of
 * Nemenyi, the basis of multiple comparisons with the best.
 *
 * Shapes: `losses` has a row of n blocks for each of k models. `level` is the significance, such as 0.05. The statistic
 * has a correction for ties. F is that of Iman and Davenport with k - 1 and (k - 1)(n - 1) degrees of freedom; null if
 * every block has the same ranks. The critical distance is q sqrt(k (k + 1) / (12 n)), where q is the quantile of the
 * studentised range.
 * Errors: `RangeError` with fewer than two models or blocks, or rows of different lengths.
 * Source: Demsar, "Statistical Comparisons of Classifiers over Multiple Data Sets" (2006), 3.2; Conover, "Practical
 * Nonparametric Statistics" (1999), 5.8, for ties; Koning, Franses, Hibon and Stekler, "The M3 competition" (2005).
 */
export function compareRanks(losses: readonly ArrayLike<number>[], level: number): RankComparison {
  const [k, n] = [losses.length, losses[0]?.length ?? 0];
  if (k < 2 || n < 2 || losses.some(({ length }) => length !== n))
    throw new RangeError('ranks need at least two models and two blocks of equal length');
  const ranks = new Float64Array(k);
  let squares = 0;
  for (let block = 0; block < n; block += 1) {
    const own = averageRanks(losses.map((row) => row[block]!));
    for (let model = 0; model < k; model += 1) {
      ranks[model]! += own[model]!;
      squares += own[model]! * own[model]!;
    }
  }
  let totals = 0;
  for (let model = 0; model < k; model += 1) {
    totals += ranks[model]! * ranks[model]!;
    ranks[model]! /= n;
  }
  const centre = (n * k * (k + 1) * (k + 1)) / 4;
  const error = Math.sqrt((k * (k + 1)) / (12 * n));
  let best = ranks[0]!;
  for (const rank of ranks) best = Math.min(best, rank);
  return {
    ranks,
    friedman: friedmanTest({ between: totals / n - centre, total: squares - centre }, k, n),
    criticalDistance: normalRangeQuantile(level, k) * error,
    againstBest: ranks.map((rank) => normalRangeTail((rank - best) / error, k)),
  };
}

/** `between`: the sum of squares of the rank totals. `total`: the sum of squares of all ranks. Both are centred. */
function friedmanTest({ between, total }: { between: number; total: number }, k: number, n: number) {
  if (!(total > 0)) return null;
  const statistic = (n * (k - 1) * between) / total;
  const rest = n * (k - 1) - statistic;
  // A remainder of the size of rounding errors means that every block has the same ranks.
  const f = rest > 1e-9 * n * (k - 1) ? ((n - 1) * statistic) / rest : null;
  return {
    statistic,
    degrees: k - 1,
    p: chiSquareTail(statistic, k - 1),
    f,
    fP: f === null ? null : fisherTail(f, k - 1, (k - 1) * (n - 1)),
  };
}
