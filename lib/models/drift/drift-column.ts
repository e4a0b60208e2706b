import { countBelow } from '#lib/numerics/count-below.ts';
import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import { quantileSorted } from '#lib/numerics/quantile.ts';
import { sortDoubles } from '#lib/numerics/sort-doubles.ts';
import { chiSquareTest } from '#lib/numerics/two-sample/chi-square-test.ts';
import { binCounts, decileEdges } from '#lib/numerics/two-sample/decile-bins.ts';
import { distances } from '#lib/numerics/two-sample/distance.ts';
import { fisherExact } from '#lib/numerics/two-sample/fisher-exact.ts';
import { jensenShannon } from '#lib/numerics/two-sample/jensen-shannon.ts';
import { kolmogorovSmirnovP } from '#lib/numerics/two-sample/kolmogorov-smirnov.ts';
import { populationStability } from '#lib/numerics/two-sample/population-stability.ts';
import { driftThresholds } from './drift-rule.ts';

/** Smallest expected bin count for which the chi-square test is valid. */
const EXPECTED_MIN = 5;
const PROBABILITIES = { p05: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95 } as const;

/** The values of one column on one side (reference or current), ascending, without missing values. */
export type ColumnSample = { ascending: Float64Array; rows: number };

export type Measure = { value: number | null; p: number | null };

/**
 * The drift statistics of a column; null if a statistic cannot be computed. Only the members of `unit` have the unit of
 * the column.
 */
export type ColumnMeasures = {
  hasValues: boolean;
  isConstant: boolean;
  constantReference: boolean;
  measures: {
    missing_share: { value: number; p: number };
    kolmogorov_smirnov: Measure;
    population_stability: Measure;
    wasserstein: Measure;
    wasserstein_normalised: Measure;
    jensen_shannon: Measure;
    energy: Measure;
    chi_square: Measure;
    mean_shift: Measure;
    variance_ratio: Measure;
    outside_reference_range: Measure;
  };
};

export function sampleOf(values: Float64Array): ColumnSample {
  let missing = 0;
  for (let at = 0; at < values.length; at += 1) missing += Number.isNaN(values[at]) ? 1 : 0;
  const known = missing === 0 ? values : values.filter((value) => !Number.isNaN(value));
  return { ascending: sortDoubles(known), rows: values.length };
}

/** Returns the profile of a column on one side. If the values are too large to add up, the mean is null. */
export function profileOf({ ascending, rows }: ColumnSample) {
  const n = ascending.length;
  const at = (p: number) => (n === 0 ? null : finite(quantileSorted(ascending, p)));
  return {
    rows,
    missing: rows - n,
    mean: n === 0 ? null : finite(mean(ascending)),
    standard_deviation: n === 0 ? null : finite(deviationOf(ascending)),
    minimum: at(0),
    maximum: at(1),
    quantiles: {
      p05: at(PROBABILITIES.p05),
      p25: at(PROBABILITIES.p25),
      p50: at(PROBABILITIES.p50),
      p75: at(PROBABILITIES.p75),
      p95: at(PROBABILITIES.p95),
    },
  };
}

/** Compares the two sides of a column. Either side can be empty or constant. */
export function compareColumn(reference: ColumnSample, current: ColumnSample): ColumnMeasures {
  const [before, after] = [reference.ascending, current.ascending];
  const [n, m] = [before.length, after.length];
  const missing = missingShare(reference, current);
  if (n === 0 || m === 0)
    return {
      hasValues: false,
      isConstant: false,
      constantReference: false,
      measures: { ...nothing, ...missing },
    };
  const apart = distances(before, after);
  const edges = decileEdges(before);
  const [counts, counted] = [binCounts(before, edges), binCounts(after, edges)];
  const stability = populationStability(counts, counted);
  const test = chiSquareTest(counts, counted);
  const isValid = test.degrees > 0 && test.expectedMin >= EXPECTED_MIN;
  const [deviation, moved] = [deviationOf(before), deviationOf(after)];
  const constantReference = !(deviation > 0);
  const perDeviation = (value: number) => (constantReference ? null : finite(value / deviation));
  const isSame = constantReference && apart.wasserstein === 0;
  const hasValues = Math.min(n, m) >= driftThresholds.values_min;
  const tested = (p: number) => (hasValues ? p : null);
  return {
    hasValues,
    isConstant: isSame,
    constantReference,
    measures: {
      ...missing,
      kolmogorov_smirnov: {
        value: apart.kolmogorovSmirnov,
        p: tested(kolmogorovSmirnovP(apart.steps, n, m)),
      },
      population_stability: { value: stability.psi, p: tested(stability.p) },
      wasserstein: plain(finite(apart.wasserstein)),
      wasserstein_normalised: plain(isSame ? 0 : perDeviation(apart.wasserstein)),
      jensen_shannon: plain(jensenShannon(counts, counted)),
      energy: plain(finite(apart.energy)),
      chi_square: isValid ? { value: test.statistic, p: test.p } : { value: null, p: null },
      mean_shift: plain(isSame ? 0 : perDeviation(mean(after) - mean(before))),
      variance_ratio: plain(constantReference ? null : finite((moved / deviation) * (moved / deviation))),
      outside_reference_range: plain(outside(before, after)),
    },
  };
}

function plain(value: number | null): Measure {
  return { value, p: null };
}

const nothing = {
  kolmogorov_smirnov: plain(null),
  population_stability: plain(null),
  wasserstein: plain(null),
  wasserstein_normalised: plain(null),
  jensen_shannon: plain(null),
  energy: plain(null),
  chi_square: plain(null),
  mean_shift: plain(null),
  variance_ratio: plain(null),
  outside_reference_range: plain(null),
} as const;

/** Returns the change in the share of missing values, and its p-value. */
function missingShare(reference: ColumnSample, current: ColumnSample) {
  const [a, b] = [reference, current].map(({ ascending, rows }) => rows - ascending.length) as [
    number,
    number,
  ];
  const [n, m] = [reference.rows, current.rows];
  const value = (m === 0 ? 0 : b / m) - (n === 0 ? 0 : a / n);
  return { missing_share: { value, p: fisherExact({ a, n, b, m }) } };
}

/** Returns the share of current values below the minimum or above the maximum of the reference. */
function outside(before: Float64Array, after: Float64Array): number {
  const [lowest, highest] = [before[0]!, before[before.length - 1]!];
  const within = countBelow(after, highest, { upTo: true }) - countBelow(after, lowest);
  return (after.length - within) / after.length;
}

/** Returns the population standard deviation; 0 if the deviation is above 0 only because of rounding. */
function deviationOf(ascending: Float64Array): number {
  return ascending[0] === ascending[ascending.length - 1] ? 0 : standardDeviation(ascending, { ddof: 0 });
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
