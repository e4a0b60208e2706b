/** The name of the rule; it never changes what it says under one name. */
export const DRIFT_METHOD = 'drift/1' as const;

/** Bounds of the rule, sealed with every assessment. */
export const driftThresholds = {
  /** Level of the adjusted p-values of all tests of columns together. */
  false_discovery_rate: 0.05,
  /** Below all of these a change may be certain and is too small to matter. */
  wasserstein_normalised: 0.1,
  population_stability: 0.1,
  missing_share: 0.05,
  /** p-value up to which a score below that of the baseline is not taken for chance. */
  performance_p: 0.05,
  /** Share of columns that makes drift material. */
  material_share: 0.3,
  /** Values that a column needs on both sides to be tested. */
  values_min: 10,
  /** Rows that a dataset needs. */
  rows_min: 30,
  /** Whole rows for each column that tests of all columns together need on both sides. */
  rows_per_column: 10,
  /** Rows of a side that the tests which compare all pairs of rows take at most. */
  paired_rows_max: 1_000,
  permutations: 999,
  classifier_permutations: 99,
} as const;

export const columnStates = ['stable', 'shifted', 'missing_shift', 'constant', 'insufficient'] as const;
export type ColumnState = (typeof columnStates)[number];

export const severities = ['none', 'watch', 'material'] as const;
export type Severity = (typeof severities)[number];

export const performances = ['not_observable', 'as_accepted', 'worse'] as const;
export type Performance = (typeof performances)[number];

export type ColumnFindings = {
  /** Adjusted p-values; NaN where there was no test. */
  adjusted: { kolmogorovSmirnov: number; stability: number; missing: number };
  /** Null where the reference does not vary. */
  wassersteinNormalised: number | null;
  /** Whether anything has moved at all; of a reference that does not vary it stands for the size of the change. */
  isMoved: boolean;
  stability: number | null;
  missingChange: number;
  hasValues: boolean;
  isConstant: boolean;
};

export type ColumnVerdict = {
  state: ColumnState;
  /** Which tests found a change that is large enough. */
  drifts: { kolmogorovSmirnov: boolean; stability: boolean; missing: boolean };
};

/** The state of a column: a change counts where a test is significant among all tests, and the change is not small. */
export function columnVerdict(found: ColumnFindings): ColumnVerdict {
  const bound = driftThresholds;
  const isSignificant = (p: number) => p <= bound.false_discovery_rate;
  const isLarge =
    (found.wassersteinNormalised === null
      ? found.isMoved
      : found.wassersteinNormalised >= bound.wasserstein_normalised) ||
    (found.stability ?? 0) >= bound.population_stability;
  const drifts = {
    kolmogorovSmirnov: isLarge && isSignificant(found.adjusted.kolmogorovSmirnov),
    stability: isLarge && isSignificant(found.adjusted.stability),
    missing: isSignificant(found.adjusted.missing) && Math.abs(found.missingChange) >= bound.missing_share,
  };
  return { state: stateOf(found, drifts), drifts };
}

function stateOf(found: ColumnFindings, drifts: ColumnVerdict['drifts']): ColumnState {
  if (drifts.kolmogorovSmirnov || drifts.stability) return 'shifted';
  if (drifts.missing) return 'missing_shift';
  if (!found.hasValues) return 'insufficient';
  return found.isConstant ? 'constant' : 'stable';
}

export function isDrifted(state: ColumnState): boolean {
  return state === 'shifted' || state === 'missing_shift';
}

/**
 * How grave drift is. Material: a share of the columns has drifted, or the target, or the model does worse than it was
 * accepted for. `target` is null where the model has none.
 */
export function severityOf(found: {
  states: readonly ColumnState[];
  target: ColumnState | null;
  performance: Performance;
}): Severity {
  const { states, target, performance } = found;
  const drifted = states.filter(isDrifted).length;
  const isMaterial =
    performance === 'worse' ||
    (target !== null && isDrifted(target)) ||
    (states.length > 0 && drifted / states.length >= driftThresholds.material_share);
  if (isMaterial) return 'material';
  return drifted > 0 ? 'watch' : 'none';
}
