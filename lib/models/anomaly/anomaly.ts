import { fitHistogramScore } from '#lib/numerics/anomaly/histogram-score.ts';
import { fitIsolationForest } from '#lib/numerics/anomaly/isolation-forest.ts';
import { fitLocalOutlierFactor, fitNeighbourDistance } from '#lib/numerics/anomaly/local-outlier-factor.ts';
import { fitMahalanobis } from '#lib/numerics/anomaly/mahalanobis.ts';
import { conformalP, fitRankAverage } from '#lib/numerics/anomaly/rank-average.ts';
import { fitRobustZ } from '#lib/numerics/anomaly/robust-z.ts';
import { columnOf, type FittedDetector, type Scores, type Table } from '#lib/numerics/anomaly/table.ts';
import { fitTailProbability } from '#lib/numerics/anomaly/tail-probability.ts';
import { adjustedP } from '#lib/numerics/multiple-testing.ts';
import { isSeriesMethod, type TableMethod } from './anomaly-methods.ts';
import type { AnomalyInput } from './anomaly.schema.ts';
import { seriesNeeded, seriesScores, type SeriesScores } from './series-anomaly.ts';

const TOP_COLUMNS = 3;
const STRANGEST = 20;
/** Minimum number of reference rows that any method needs. */
const REFERENCE_MIN = 8;

type Parameters = Pick<AnomalyInput, 'neighbours' | 'shrinkage' | 'bins' | 'trees' | 'sample' | 'seed'>;

const methods: Record<TableMethod, (reference: Table, parameters: Parameters) => FittedDetector> = {
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

/**
 * Returns the number of reference rows that a method needs: more rows than the method's number of neighbours or, for a
 * series, enough whole seasons or windows.
 */
export function referenceNeeded(
  input: Pick<AnomalyInput, 'method' | 'neighbours' | 'period' | 'window'>,
  isItself: boolean,
): number {
  const { method, neighbours } = input;
  if (isSeriesMethod(method)) return Math.max(REFERENCE_MIN, seriesNeeded(input, isItself));
  const looksAround = method === 'local_outlier_factor' || method === 'nearest_neighbour';
  return Math.max(REFERENCE_MIN, looksAround ? neighbours + 1 : 0);
}

/**
 * Scores rows against a reference. The rows never change the reference. Without rows, scores the reference itself.
 *
 * The p-value of a row is the share of the reference rows that score at least as high as the row. The flags of unusual
 * rows control the false discovery rate over all rows (Benjamini and Hochberg 1995). The control is exact for
 * independent rows (Bates, Candes, Lei, Romano and Sesia, "Testing for Outliers with Conformal p-values", 2023). Throws
 * a `RangeError` on fewer reference rows than needed.
 */
export function anomalyFindings(input: AnomalyInput, reference: Table, rows: Table | null) {
  const { columns, method, false_discovery_rate: rate } = input;
  const { usual, scored, outliers } = isSeriesMethod(method)
    ? ofSeries(seriesScores(input, reference.values, rows && rows.values))
    : ofTable(methods[method](reference, input), rows);
  const tested = outliers && new Set(outliers.map(({ row }) => row));
  const p = conformalP(usual, scored.scores, { itself: rows === null });
  const adjusted = adjustedP(p, 'benjamini_hochberg');
  const scores = Array.from(scored.scores, (score, row) => ({
    row,
    score,
    p_value: p[row]!,
    adjusted_p: adjusted[row]!,
    flagged: tested ? tested.has(row) : adjusted[row]! <= rate,
    top_columns: topColumns(scored, columns, row),
  }));
  return {
    scores,
    result: {
      method,
      reference_rows: reference.values.length / reference.dimensions,
      scored: scores.length,
      flagged: scores.filter(({ flagged }) => flagged).length,
      constant_columns: columns.filter((_, column) => isConstant(columnOf(reference, column))),
      strangest: strangestOf(scores, method === 'matrix_profile' ? input.window! : 1),
      ...(outliers && { outliers }),
    },
  };
}

type Found = { usual: Float64Array; scored: Scores; outliers?: SeriesScores['outliers'] };

function ofTable(fitted: FittedDetector, rows: Table | null): Found {
  const usual = fitted.reference();
  return { usual: usual.scores, scored: rows === null ? usual : fitted.score(rows) };
}

function ofSeries({ usual, scores, outliers }: SeriesScores): Found {
  return { usual, scored: { scores }, ...(outliers && { outliers }) };
}

/**
 * Returns the rows with the highest scores. Any two of these rows are at least the given distance apart. Ties keep the
 * order of rows.
 */
function strangestOf<Scored extends { row: number; score: number }>(
  scores: readonly Scored[],
  apart: number,
) {
  const found: Scored[] = [];
  for (const each of scores.toSorted((one, other) => other.score - one.score || one.row - other.row)) {
    if (found.length === STRANGEST) break;
    if (found.every(({ row }) => Math.abs(row - each.row) >= apart)) found.push(each);
  }
  return found;
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
