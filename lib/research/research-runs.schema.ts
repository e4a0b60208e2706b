import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { FEATURES_MAX, FeatureKey, Target } from './project-definition.ts';
import { ProjectId } from './research-snapshots.schema.ts';

/**
 * The maximum number of dates in an experiment. The next constant is the maximum number of cells in all matrices of an
 * experiment together.
 */
export const DATES_MAX = 120;
export const CELLS_MAX = 20_000_000;

const SnapshotUid = Uid(prefixes.researchSnapshot, 'A sealed snapshot.');

const options = {
  quantiles: Type.Integer({
    minimum: 2,
    maximum: 20,
    default: 5,
    description: 'The number of groups for the spread and the turnover.',
    examples: [5],
  }),
  minimum_entities: Type.Integer({
    minimum: 3,
    maximum: 10_000,
    default: 10,
    description: 'The minimum number of entities for a statistic of one date.',
    examples: [10],
  }),
  newey_west_lags: {
    ...Nullable(
      Type.Integer({ minimum: 0, maximum: 60, examples: [3] }),
      'The number of lags of the Newey-West errors. Null for floor(4 (dates / 100)^(2/9)), at least 2 and ' +
        'at least `span_months` - 1.',
    ),
    default: null,
  },
};

const WrittenTarget = Closed(
  {
    ...Target.properties,
    version: Type.Optional(Target.properties.version),
    span_months: Type.Optional({ ...Target.properties.span_months, default: 1 }),
  },
  {
    title: 'ResearchTargetRequest',
    description: 'The target that the features should predict. Default version: the newest.',
  },
);

export const ExperimentRequestBody = Closed(
  {
    snapshots: Type.Array(SnapshotUid, {
      minItems: 1,
      maxItems: DATES_MAX,
      uniqueItems: true,
      description: 'Sealed snapshots of one project, with the same columns and distinct dates.',
    }),
    target: Type.Optional(WrittenTarget),
    known_by: Type.Optional({
      ...IsoDate,
      description: 'Only targets known by the end of this day are used. Default: today.',
    }),
    quantiles: Type.Optional(options.quantiles),
    minimum_entities: Type.Optional(options.minimum_entities),
    newey_west_lags: Type.Optional(options.newey_west_lags),
  },
  {
    title: 'ResearchRunRequest',
    description: 'An experiment on sealed snapshots. Default target: the target of the project.',
  },
);

export const ExperimentInput = Closed(
  {
    project_id: ProjectId,
    snapshots: Type.Array(
      Closed(
        {
          uid: SnapshotUid,
          as_of_date: IsoDate,
          content_hash: Sha256Of('The content hash of the snapshot.'),
        },
        { description: 'A snapshot and the hash of its content.' },
      ),
      { minItems: 1, maxItems: DATES_MAX, description: 'The snapshots, ordered by date.' },
    ),
    target: Target,
    known_by: IsoDate,
    ...options,
  },
  { title: 'ResearchRunInput', description: 'The request with all defaults filled in.' },
);

const Maybe = (description: string) => Nullable(Type.Number(), description);
const Share = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1 }), description);
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const SeriesStatistics = Closed(
  {
    dates: Count('The number of dates with a value.'),
    mean: Maybe('The mean over the dates with a value. Null if there are none.'),
    standard_deviation: Nullable(
      Type.Number({ minimum: 0 }),
      'The standard deviation over the dates with a value (ddof 1). Null for fewer than two dates.',
    ),
    t_stat: Maybe(
      'mean / (standard_deviation / sqrt(dates)). For a correlation r over the n pairs of ' +
        'a single date: r * sqrt((n - 2) / (1 - r^2)). Null if undefined.',
    ),
    p_value: Share(
      "Two-sided p-value of t_stat, from Student's t distribution with dates - 1 degrees of freedom, or n - 2 for a correlation over n pairs of a single date. Null if t_stat is null.",
    ),
    newey_west_lags: Count('The number of lags of the Newey-West standard error.'),
    newey_west_t: Maybe(
      'The mean divided by its Newey-West standard error (Bartlett weights, autocovariances divided by ' +
        'dates). Null if the error is 0 or undefined.',
    ),
    newey_west_p: Share(
      'Two-sided p-value of newey_west_t, from the standard normal distribution. The distribution is asymptotic: for few dates the p-value is too small. Null if newey_west_t is null.',
    ),
    hit_rate: Share('The share of the dates with a value above 0.'),
  },
  { title: 'SeriesStatistics', description: 'The distribution of a statistic over the dates.' },
);

export const FeatureFinding = Closed(
  {
    feature: FeatureKey,
    version: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
    horizons: Type.Array(
      Closed(
        {
          horizon_months: Type.Integer({
            minimum: 1,
            description: 'Months from the as-of date to the target.',
          }),
          pairs: Count('The number of entities with both the feature and the target, summed over all dates.'),
          spearman: SeriesStatistics,
          pearson: SeriesStatistics,
          spread: SeriesStatistics,
        },
        {
          description:
            'Information coefficients, and the spread: the mean target of the highest group minus the mean ' +
            'target of the lowest.',
        },
      ),
      {
        maxItems: 24,
        description: 'The statistics per horizon. They show how the predictive power of the feature decays.',
      },
    ),
    turnover: Share(
      'The mean share of the entities in the highest group that were not in that group one date before. Null for fewer than two dates.',
    ),
  },
  { title: 'FeatureFinding', description: 'How well one feature predicted the target.' },
);

export const ExperimentResult = Closed(
  {
    dates: Type.Array(
      Closed(
        {
          as_of_date: IsoDate,
          entities: Count('The number of rows in the snapshot.'),
          targets: Type.Array(Count('The number of entities with a target at this horizon.'), {
            maxItems: 24,
            description: 'The number of targets per horizon.',
          }),
        },
        { description: 'A date of the experiment.' },
      ),
      { maxItems: DATES_MAX, description: 'The dates, in order.' },
    ),
    features: Type.Array(FeatureFinding, {
      maxItems: FEATURES_MAX,
      description: 'The features, ordered by key.',
    }),
    correlations: Type.Array(
      Type.Array(Maybe('A mean correlation; null if no date has one.'), { maxItems: FEATURES_MAX }),
      {
        maxItems: FEATURES_MAX,
        description: 'Mean Spearman correlation of the features over the dates, in the order of `features`.',
      },
    ),
  },
  { title: 'ResearchRunResult', description: 'How well the features predicted later values.' },
);

const byDate = (description: string) =>
  Type.Array(Maybe('The statistic on one date; null if it is undefined.'), {
    maxItems: DATES_MAX,
    description,
  });

export const ExperimentSeriesOnWire = Type.Array(
  Closed(
    {
      feature: FeatureKey,
      horizons: Type.Array(
        Closed({
          horizon_months: Type.Integer({
            minimum: 1,
            description: 'Months from the as-of date to the target.',
          }),
          pairs: Type.Array(Count('The number of pairs on one date.'), {
            maxItems: DATES_MAX,
            description: 'The number of entities with both the feature and the target.',
          }),
          spearman: byDate('Spearman (rank) information coefficients, by date.'),
          pearson: byDate('Pearson information coefficients, by date.'),
          spread: byDate('Spreads, by date.'),
        }),
        { maxItems: 24, description: 'The statistics per horizon.' },
      ),
      turnover: byDate('Turnovers, by date.'),
    },
    { description: 'The statistics of one feature for each date.' },
  ),
  {
    maxItems: FEATURES_MAX,
    description:
      'The statistics of each feature, in the order of `result.features`. Each list of statistics has one element for each date, in the order of `result.dates`.',
  },
);

export type ExperimentRequestBody = Static<typeof ExperimentRequestBody>;
export type ExperimentInput = Static<typeof ExperimentInput>;
export type SeriesStatistics = Static<typeof SeriesStatistics>;
export type FeatureFinding = Static<typeof FeatureFinding>;
