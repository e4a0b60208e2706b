/** The name of the drift rule. The rule with a given name never changes. */
export const DRIFT_METHOD = 'drift/1' as const;

/** Thresholds of the rule, sealed with every assessment. */
export const driftThresholds = {
  /** Level of the adjusted p-values over all column tests. */
  false_discovery_rate: 0.05,
  /**
   * Minimum sizes of a change: normalised Wasserstein distance, population stability index, and change of the
   * share of missing values. A significant change below these sizes does not count as drift.
   */
  wasserstein_normalised: 0.1,
  population_stability: 0.1,
  missing_share: 0.05,
  /** p-value up to which a score below the baseline counts as significant. */
  performance_p: 0.05,
  /** Share of drifted columns that makes drift material. */
  material_share: 0.3,
  /** Minimum number of values of a column on each side. */
  values_min: 10,
  /** Minimum number of rows of a dataset. */
  rows_min: 30,
  /** For tests of all columns together: minimum number of complete rows on each side, per column. */
  rows_per_column: 10,
  /** Maximum number of rows per side in tests that compare all pairs of rows. */
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
  /** Adjusted p-values; NaN if there was no test. */
  adjusted: { kolmogorovSmirnov: number; stability: number; missing: number };
  /** Wasserstein distance in standard deviations of the reference; null if the reference does not vary. */
  wassersteinNormalised: number | null;
  /**
   * Whether the distribution has changed at all. If the reference does not vary, the rule uses this
   * member instead of the Wasserstein distance.
   */
  isMoved: boolean;
  stability: number | null;
  missingChange: number;
  hasValues: boolean;
  isConstant: boolean;
};

export type ColumnVerdict = {
  state: ColumnState;
  /** For each test, whether the test found a change that is significant and large enough. */
  drifts: { kolmogorovSmirnov: boolean; stability: boolean; missing: boolean };
};

/**
 * Returns the state of a column. A change is drift if a test is significant after the correction for all tests, and the
 * change is large enough.
 */
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
 * Returns the severity of drift. Drift is material if enough columns have drifted, if the target has drifted, or if the
 * model performs worse than when it was accepted. `target` is null if the model has no target.
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
