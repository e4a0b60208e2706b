import { fitHistogramScore } from '#lib/numerics/anomaly/histogram-score.ts';
import { fitIsolationForest } from '#lib/numerics/anomaly/isolation-forest.ts';
import { fitLocalOutlierFactor, fitNeighbourDistance } from '#lib/numerics/anomaly/local-outlier-factor.ts';
import { fitMahalanobis } from '#lib/numerics/anomaly/mahalanobis.ts';
import { conformalP, fitRankAverage } from '#lib/numerics/anomaly/rank-average.ts';
import { fitRobustZ } from '#lib/numerics/anomaly/robust-z.ts';
import { columnOf, type FittedDetector, type Scores, type Table } from '#lib/numerics/anomaly/table.ts';
import { fitTailProbability } from '#lib/numerics/anomaly/tail-probability.ts';
import { adjustedP } from '#lib/numerics/multiple-testing.ts';
import type { AnomalyInput, AnomalyMethod } from './anomaly.schema.ts';

const TOP_COLUMNS = 3;
const STRANGEST = 20;
/** Rows that a method can learn from at all. */
const REFERENCE_MIN = 8;

type Parameters = Pick<AnomalyInput, 'neighbours' | 'shrinkage' | 'bins' | 'trees' | 'sample' | 'seed'>;

const methods: Record<AnomalyMethod, (reference: Table, parameters: Parameters) => FittedDetector> = {
  rank_average: (reference, { shrinkage }) =>
    fitRankAverage([
      fitTailProbability(reference),
      fitMahalanobis(reference, shrinkage),
      fitRobustZ(reference),
    ]),
  robust_z: fitRobustZ,
  tail_probability: fitTailProbability,
  mahalanobis: (reference, { shrinkage }) => fitMahalanobis(reference, shrinkage),
  local_outlier_factor: (reference, { neighbours }) => fitLocalOutlierFactor(reference, neighbours),
  nearest_neighbour: (reference, { neighbours }) => fitNeighbourDistance(reference, neighbours),
  histogram: (reference, { bins }) => fitHistogramScore(reference, bins),
  isolation_forest: (reference, { trees, sample, seed }) =>
    fitIsolationForest(reference, { trees, sample, seed }),
};

/** How many reference rows a method needs: more than the neighbours that it looks for. */
export function referenceNeeded({ method, neighbours }: Pick<AnomalyInput, 'method' | 'neighbours'>): number {
  const looksAround = method === 'local_outlier_factor' || method === 'nearest_neighbour';
  return Math.max(REFERENCE_MIN, looksAround ? neighbours + 1 : 0);
}

/**
 * Scores rows by what was learnt of a reference, which they never change; without rows the reference itself.
 *
 * A p-value is the share of the reference that scores at least as high; flags hold the false discovery rate over the
 * rows (Benjamini and Hochberg 1995), which for independent rows is exact (Bates, Candes, Lei, Romano and Sesia,
 * "Testing for Outliers with Conformal p-values", 2023). Throws a `RangeError` on fewer reference rows than needed.
 */
export function anomalyFindings(input: AnomalyInput, reference: Table, rows: Table | null) {
  const { columns, method, false_discovery_rate: rate } = input;
  const fitted = methods[method](reference, input);
  const usual = fitted.reference();
  const scored = rows === null ? usual : fitted.score(rows);
  const p = conformalP(usual.scores, scored.scores, { itself: rows === null });
  const adjusted = adjustedP(p, 'benjamini_hochberg');
  const scores = Array.from(scored.scores, (score, row) => ({
    row,
    score,
    p_value: p[row]!,
    adjusted_p: adjusted[row]!,
    flagged: adjusted[row]! <= rate,
    top_columns: topColumns(scored, columns, row),
  }));
  const strangest = scores.toSorted((one, other) => other.score - one.score || one.row - other.row);
  return {
    scores,
    result: {
      method,
      reference_rows: usual.scores.length,
      scored: scores.length,
      flagged: scores.filter(({ flagged }) => flagged).length,
      constant_columns: columns.filter((_, column) => isConstant(columnOf(reference, column))),
      strangest: strangest.slice(0, STRANGEST),
    },
  };
}

function topColumns({ contributions }: Scores, columns: readonly string[], row: number) {
  if (!contributions) return [];
  const parts = contributions.subarray(row * columns.length, (row + 1) * columns.length);
  return columns
    .map((column, at) => ({ column, contribution: parts[at]! }))
    .filter(({ contribution }) => contribution > 0)
    .toSorted((one, other) => other.contribution - one.contribution)
    .slice(0, TOP_COLUMNS);
}

function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}
