import { pearson, spearman } from '#lib/numerics/correlation.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import { quantileGroups } from '#lib/numerics/quantile-groups.ts';
import { completePairs, type CrossSection, type Pairs, type Steps } from './cross-section.ts';
import { featureCorrelations } from './feature-correlations.ts';

/**
 * An experiment measures how well features predicted later values.
 *
 * - A **cross-section** is the matrix of one as-of date with the targets after it; NaN is a missing value.
 * - The **information coefficient** of a date is the correlation of a feature with the target over its
 *   entities.
 * - The **spread** is the mean target of the highest group minus the mean target of the lowest.
 * - The **turnover** is the share of the highest group that was not in the highest group one date before.
 */

export type ExperimentOptions = {
  /** The number of groups for the spread and the turnover. */
  quantiles: number;
  /** The minimum number of entities on a date. With fewer entities, the statistics of the date are null. */
  minimumEntities: number;
};

/** The statistics of one feature and horizon for each date; null if a statistic is undefined. */
export type HorizonSeries = {
  pairs: number[];
  spearman: (number | null)[];
  pearson: (number | null)[];
  spread: (number | null)[];
};

export type FeatureSeries = { horizons: HorizonSeries[]; turnover: (number | null)[] };

export type ExperimentSeries = {
  features: FeatureSeries[];
  /** Mean Spearman correlation over the dates, for each pair of features. */
  correlations: (number | null)[][];
};

/** Approximate share of the total work that the univariate statistics need. Used for the progress. */
const UNIVARIATE = 0.5;

/**
 * Computes all statistics of an experiment by date. Dates must be in order and have the same features and
 * horizons.
 */
export function experimentSeries(
  dates: readonly CrossSection[],
  options: ExperimentOptions,
  steps: Steps,
): ExperimentSeries {
  const count = dates[0]?.features.length ?? 0;
  const features = Array.from({ length: count }, (_, feature) => {
    if (steps.cancelled()) throw new Error('cancelled');
    steps.progress((UNIVARIATE * feature) / count);
    return featureSeries(dates, feature, options);
  });
  const correlations = featureCorrelations(dates, options.minimumEntities, {
    cancelled: steps.cancelled,
    progress: (fraction) => steps.progress(UNIVARIATE + (1 - UNIVARIATE) * fraction),
  });
  return { features, correlations };
}

function featureSeries(
  dates: readonly CrossSection[],
  feature: number,
  options: ExperimentOptions,
): FeatureSeries {
  const horizons = dates[0]!.targets.map((_, horizon) => {
    const byDate = dates.map(({ features, targets }) =>
      pairStatistics(completePairs(features[feature]!, targets[horizon]!), options),
    );
    return {
      pairs: byDate.map((each) => each.pairs),
      spearman: byDate.map((each) => each.spearman),
      pearson: byDate.map((each) => each.pearson),
      spread: byDate.map((each) => each.spread),
    };
  });
  const tops = dates.map((date) => topGroup(date.entities, date.features[feature]!, options));
  return { horizons, turnover: tops.map((top, at) => turnover(tops[at - 1], top)) };
}

function pairStatistics({ x, y }: Pairs, { quantiles, minimumEntities }: ExperimentOptions) {
  const pairs = x.length;
  if (pairs < minimumEntities) return { pairs, spearman: null, pearson: null, spread: null };
  return { pairs, spearman: spearman(x, y), pearson: pearson(x, y), spread: spread(x, y, quantiles) };
}

/**
 * Returns the mean target of the highest group minus the mean target of the lowest group; null if either group is
 * empty.
 */
export function spread(x: Float64Array, y: Float64Array, quantiles: number): number | null {
  const groups = quantileGroups(x, quantiles);
  const low = y.filter((_, at) => groups[at] === 0);
  const high = y.filter((_, at) => groups[at] === quantiles - 1);
  return low.length && high.length ? mean(high) - mean(low) : null;
}

function topGroup(
  entities: readonly string[],
  values: Float64Array,
  { quantiles, minimumEntities }: ExperimentOptions,
): Set<string> {
  const observed = [...entities.keys()].filter((at) => !Number.isNaN(values[at]!));
  if (observed.length < minimumEntities) return new Set();
  const groups = quantileGroups(
    observed.map((at) => values[at]!),
    quantiles,
  );
  return new Set(observed.filter((_, at) => groups[at] === quantiles - 1).map((at) => entities[at]!));
}

/**
 * Returns the share of a group's members that were not in the group on the previous date; null on the first date, or if
 * the group is empty on either date.
 */
export function turnover(before: ReadonlySet<string> | undefined, now: ReadonlySet<string>): number | null {
  if (!before?.size || !now.size) return null;
  let entered = 0;
  for (const entity of now) if (!before.has(entity)) entered += 1;
  return entered / now.size;
}
