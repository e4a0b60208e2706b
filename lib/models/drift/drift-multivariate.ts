import { columnOf, scaled, scalingOf, type Table } from '#lib/numerics/anomaly/table.ts';
import { domainClassifierArea } from '#lib/numerics/two-sample/domain-classifier.ts';
import { energyDistance } from '#lib/numerics/two-sample/energy-distance.ts';
import { hotelling } from '#lib/numerics/two-sample/hotelling.ts';
import { meanDiscrepancy } from '#lib/numerics/two-sample/maximum-mean-discrepancy.ts';
import { permutationP, shuffle } from '#lib/numerics/two-sample/permutation-test.ts';
import type { Measure } from './drift-column.ts';
import { driftThresholds } from './drift-rule.ts';

const SEED = 0;
/**
 * The first counters of the random draws: one for the samples of each side and one for the classifier. The counters of
 * the permutations start at 0.
 */
const [REFERENCE_ROWS, CURRENT_ROWS, CLASSIFIER] = [1_000_000, 1_000_001, 2_000_000];
/** Maximum distance from the mean, in standard deviations. The square of a larger distance overflows a double. */
const FARTHEST = 1e100;
/**
 * The classifier is fitted to permutations only if the number of rows times the squared number of columns is at most
 * this.
 */
const CLASSIFIER_WORK_MAX = 2_000_000;

export const multivariateReasons = ['no_varying_columns', 'rows_insufficient'] as const;

export type Multivariate = {
  /** Reason why no test was made; null if the columns were tested. */
  reason: (typeof multivariateReasons)[number] | null;
  /** Columns that vary in the reference, ordered by name. */
  columns: string[];
  /** Number of rows without missing values. */
  rows: { reference: number; current: number };
  /** Number of rows of which all pairs were compared. */
  paired: { reference: number; current: number };
  measures: Record<'hotelling' | 'mean_discrepancy' | 'energy_multivariate' | 'classifier_area', Measure>;
};

const none: Multivariate['measures'] = {
  hotelling: { value: null, p: null },
  mean_discrepancy: { value: null, p: null },
  energy_multivariate: { value: null, p: null },
  classifier_area: { value: null, p: null },
};

/**
 * Tests all columns together. Values are measured in standard deviations of the reference. Shapes: rows of the columns,
 * NaN where a value is missing. Columns are matched by name, so the order of the columns does not matter.
 */
export function compareTogether(names: readonly string[], reference: Table, current: Table): Multivariate {
  const usable = varyingColumns(names, reference, current);
  const columns = usable.map((at) => names[at]!);
  const [before, after] = [reference, current].map((table) => wholeRows(table, usable)) as [Table, Table];
  const D = usable.length;
  const rows = { reference: rowsOf(before), current: rowsOf(after) };
  const untested = (reason: Multivariate['reason']) => ({
    reason,
    columns,
    rows,
    paired: { reference: 0, current: 0 },
    measures: none,
  });
  if (D === 0) return untested('no_varying_columns');
  if (Math.min(rows.reference, rows.current) < D * driftThresholds.rows_per_column)
    return untested('rows_insufficient');
  const scaling = scalingOf(before);
  const [all, others] = [before, after].map((table) => scaled(table, scaling)) as [Table, Table];
  const means = hotelling(joined(all, others), D, rows.reference);
  const [few, fewOthers] = [chosen(all, REFERENCE_ROWS), chosen(others, CURRENT_ROWS)];
  const [points, n] = [joined(few, fewOthers), rowsOf(few)];
  const area = domainClassifierArea(points, D, n);
  return {
    reason: null,
    columns,
    rows,
    paired: { reference: n, current: rowsOf(fewOthers) },
    measures: {
      hotelling: means ? { value: means.statistic, p: means.p } : none.hotelling,
      mean_discrepancy: {
        value: meanDiscrepancy(points, D, n).unbiased,
        p: permutationP(points, D, n, { permutations: driftThresholds.permutations, seed: SEED }),
      },
      energy_multivariate: { value: energyDistance(points, D, n), p: null },
      classifier_area: { value: area, p: classifierP(points, D, n, area) },
    },
  };
}

/**
 * Returns the indices of columns that vary in the reference and whose values stay within `FARTHEST`, ordered by
 * name.
 */
function varyingColumns(names: readonly string[], reference: Table, current: Table): number[] {
  return names
    .map((name, at) => ({ name, at }))
    .filter(({ at }) => {
      const [before, after] = [reference, current].map((table) => present(columnOf(table, at)));
      if (before!.length < 2 || before!.every((value) => value === before![0])) return false;
      const scaling = scalingOf({ values: before!, dimensions: 1 });
      return [before!, after!].every((values) =>
        scaled({ values, dimensions: 1 }, scaling).values.every((z) => Math.abs(z) <= FARTHEST),
      );
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ at }) => at);
}

function present(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}

/** Returns the rows without missing values in the given columns. */
function wholeRows({ values, dimensions }: Table, places: readonly number[]): Table {
  const kept = new Float64Array((values.length / dimensions) * places.length);
  let filled = 0;
  for (let from = 0; from < values.length; from += dimensions) {
    if (places.some((place) => Number.isNaN(values[from + place]!))) continue;
    for (const place of places) kept[filled++] = values[from + place]!;
  }
  return { values: kept.slice(0, filled), dimensions: places.length };
}

/** Draws at most `paired_rows_max` rows without replacement, and keeps the order of the rows. */
function chosen(table: Table, sample: number): Table {
  const { values, dimensions: D } = table;
  const max = driftThresholds.paired_rows_max;
  const size = rowsOf(table);
  if (size <= max) return table;
  const order = new Int32Array(size);
  shuffle(order, SEED, sample);
  return rowsAt(values, D, Int32Array.from(order.subarray(0, max)).sort());
}

/**
 * Returns the share of random permutations of the rows for which a classifier separates the two sides at least as well
 * as for the actual rows. Returns null if the data are too large for this test.
 */
function classifierP(points: Float64Array, D: number, n: number, area: number): number | null {
  const size = points.length / D;
  const width = 2 * D + 1;
  if (size * width * width > CLASSIFIER_WORK_MAX) return null;
  const permutations = driftThresholds.classifier_permutations;
  const order = new Int32Array(size);
  let asLarge = 0;
  for (let sample = 0; sample < permutations; sample += 1) {
    shuffle(order, SEED, CLASSIFIER + sample);
    if (domainClassifierArea(rowsAt(points, D, order).values, D, n) >= area) asLarge += 1;
  }
  return (1 + asLarge) / (1 + permutations);
}

function rowsAt(values: Float64Array, D: number, places: Int32Array): Table {
  const taken = new Float64Array(places.length * D);
  for (const [at, place] of places.entries()) taken.set(values.subarray(place * D, (place + 1) * D), at * D);
  return { values: taken, dimensions: D };
}

function joined(one: Table, other: Table): Float64Array {
  const points = new Float64Array(one.values.length + other.values.length);
  points.set(one.values);
  points.set(other.values, one.values.length);
  return points;
}

function rowsOf({ values, dimensions }: Table): number {
  return dimensions === 0 ? 0 : values.length / dimensions;
}
