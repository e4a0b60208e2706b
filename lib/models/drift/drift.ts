import { columnOf, type Table } from '#lib/numerics/anomaly/table.ts';
import { adjustedP } from '#lib/numerics/multiple-testing.ts';
import { compareColumn, profileOf, sampleOf, type ColumnMeasures, type Measure } from './drift-column.ts';
import { compareTogether, type Multivariate } from './drift-multivariate.ts';
import type { PerformanceFindings } from './drift-performance.ts';
import {
  columnVerdict,
  DRIFT_METHOD,
  driftThresholds,
  isDrifted,
  severityOf,
  type ColumnVerdict,
} from './drift-rule.ts';
import { PREDICTION } from '#lib/models/registry/prediction.schema.ts';
import type { DriftMetric } from './drift.schema.ts';

/** The rows of the named columns on both sides: reference and current. A missing value is NaN. */
export type Compared = { columns: readonly string[]; reference: Table; current: Table };

/** For a model that predicts a target: the target, and the predictions for the rows of both sides. */
export type Predicted = { target: string; reference: Float64Array; current: Float64Array };

/** Assesses each column separately. */
export function assessColumns({ columns, reference, current }: Compared) {
  const found = columns.map((column, at) => {
    const [before, after] = [reference, current].map((table) => sampleOf(columnOf(table, at)));
    return { column, before: before!, after: after!, compared: compareColumn(before!, after!) };
  });
  const tests = found.flatMap(({ compared: { measures } }) => [
    measures.kolmogorov_smirnov.p ?? NaN,
    measures.population_stability.p ?? NaN,
    measures.missing_share.p,
  ]);
  const adjusted = adjustedP(tests, 'benjamini_hochberg');
  return found.map(({ compared, ...side }, at) => {
    const [kolmogorovSmirnov, stability, missing] = adjusted.subarray(at * 3, at * 3 + 3);
    const { measures, hasValues, isConstant } = compared;
    const ofTests = { kolmogorovSmirnov: kolmogorovSmirnov!, stability: stability!, missing: missing! };
    const verdict = columnVerdict({
      adjusted: ofTests,
      wassersteinNormalised: measures.wasserstein_normalised.value,
      isMoved: (measures.kolmogorov_smirnov.value ?? 0) > 0,
      stability: measures.population_stability.value,
      missingChange: measures.missing_share.value,
      hasValues,
      isConstant,
    });
    return { ...side, compared, adjusted: ofTests, verdict };
  });
}

/**
 * Assesses how far current rows have drifted from the training rows of a model, by the rule `drift/1`. Assesses each
 * column, controls the false discovery rate over all column tests, and ignores small changes. Also tests all columns
 * together; this test is evidence and does not change the severity. Returns the assessment with its severity.
 */
export function assessDrift(given: Compared, performance: PerformanceFindings, predicted?: Predicted) {
  const compared = predicted ? withPredictions(given, predicted) : given;
  const found = assessColumns(compared);
  const together = compareTogether(given.columns, given.reference, given.current);
  const states = found.map(({ verdict }) => verdict.state);
  const drifted = states.filter(isDrifted).length;
  const ofTarget = found
    .filter(({ column }) => predicted && (column === predicted.target || column === PREDICTION))
    .map(({ verdict }) => verdict.state);
  const target = ofTarget.find(isDrifted) ?? ofTarget[0] ?? null;
  const severity = severityOf({ states, target, performance: performance.state });
  const { reason, columns, rows, paired } = together;
  return {
    method: DRIFT_METHOD,
    severity,
    retraining_requested: severity === 'material',
    drifted_columns: drifted,
    drifted_share: states.length === 0 ? 0 : drifted / states.length,
    columns: found.map(({ column, before, after, compared: { constantReference }, verdict }) => ({
      column,
      state: verdict.state,
      constant_reference: constantReference,
      reference: profileOf(before),
      current: profileOf(after),
    })),
    multivariate: {
      reason,
      columns,
      reference_rows: rows.reference,
      current_rows: rows.current,
      paired_reference_rows: paired.reference,
      paired_current_rows: paired.current,
    },
    performance,
    metrics: [...found.flatMap(metricsOfColumn), ...metricsTogether(together)],
    thresholds: driftThresholds,
  };
}

function withPredictions({ columns, reference, current }: Compared, predictions: Predicted): Compared {
  const beside = ({ values, dimensions }: Table, predictions: Float64Array): Table => ({
    dimensions: dimensions + 1,
    values: Float64Array.from({ length: predictions.length * (dimensions + 1) }, (_, at) => {
      const [row, column] = [Math.floor(at / (dimensions + 1)), at % (dimensions + 1)];
      return column === dimensions ? predictions[row]! : values[row * dimensions + column]!;
    }),
  });
  return {
    columns: [...columns, PREDICTION],
    reference: beside(reference, predictions.reference),
    current: beside(current, predictions.current),
  };
}

type Found = ReturnType<typeof assessColumns>[number];

function metricsOfColumn({ column, before, after, compared, adjusted, verdict }: Found): DriftMetric[] {
  const counts = { n_reference: before.ascending.length, n_current: after.ascending.length };
  const rows = { n_reference: before.rows, n_current: after.rows };
  return (Object.keys(compared.measures) as (keyof ColumnMeasures['measures'])[]).map((name) => {
    const { value, p } = compared.measures[name];
    const test = testOf(name, adjusted, verdict);
    return {
      column,
      name,
      value,
      p_value: p,
      adjusted_p: test && !Number.isNaN(test.adjusted) ? test.adjusted : null,
      threshold: thresholds[name] ?? null,
      state:
        value === null
          ? 'unavailable'
          : !test || p === null
            ? 'evidence'
            : test.drifts
              ? 'drift'
              : 'no_drift',
      ...(name === 'missing_share' ? rows : counts),
    };
  });
}

const thresholds: Partial<Record<keyof ColumnMeasures['measures'], number>> = {
  missing_share: driftThresholds.missing_share,
  population_stability: driftThresholds.population_stability,
  wasserstein_normalised: driftThresholds.wasserstein_normalised,
};

function testOf(
  name: keyof ColumnMeasures['measures'],
  adjusted: Found['adjusted'],
  { drifts }: ColumnVerdict,
): { adjusted: number; drifts: boolean } | undefined {
  if (name === 'missing_share') return { adjusted: adjusted.missing, drifts: drifts.missing };
  if (name === 'population_stability') return { adjusted: adjusted.stability, drifts: drifts.stability };
  if (name === 'kolmogorov_smirnov')
    return { adjusted: adjusted.kolmogorovSmirnov, drifts: drifts.kolmogorovSmirnov };
  return undefined;
}

function metricsTogether({ measures, rows, paired }: Multivariate): DriftMetric[] {
  return (Object.entries(measures) as [keyof typeof measures, Measure][]).map(([name, { value, p }]) => {
    const of = name === 'hotelling' ? rows : paired;
    return {
      column: null,
      name,
      value,
      p_value: p,
      adjusted_p: null,
      threshold: null,
      state: value === null ? 'unavailable' : 'evidence',
      n_reference: of.reference,
      n_current: of.current,
    };
  });
}
