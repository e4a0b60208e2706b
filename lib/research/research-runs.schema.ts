import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { FEATURES_MAX, FeatureKey, Target } from './project-definition.ts';
import { ProjectId } from './research-snapshots.schema.ts';

/** The most dates of an experiment, and the most cells of all its matrices together. */
export const DATES_MAX = 120;
export const CELLS_MAX = 20_000_000;

const SnapshotUid = Uid(prefixes.researchSnapshot, 'A sealed snapshot.');

const options = {
  quantiles: Type.Integer({
    minimum: 2,
    maximum: 20,
    default: 5,
    description: 'Groups of the spread and of the turnover.',
    examples: [5],
  }),
  minimum_entities: Type.Integer({
    minimum: 3,
    maximum: 10_000,
    default: 10,
    description: 'A statistic of one date is of at least so many entities.',
    examples: [10],
  }),
  newey_west_lags: {
    ...Nullable(
      Type.Integer({ minimum: 0, maximum: 60, examples: [3] }),
      'Lags of the Newey-West errors. Null for floor(4 (dates / 100)^(2/9)), at least 2 and at least `span_months` - 1.',
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
    description: 'What the features are to tell of. The newest version, unless one is named.',
  },
);

export const ExperimentRequestBody = Closed(
  {
    snapshots: Type.Array(SnapshotUid, {
      minItems: 1,
      maxItems: DATES_MAX,
      uniqueItems: true,
      description: 'Sealed snapshots of one project with the same columns, each of another date.',
    }),
    target: Type.Optional(WrittenTarget),
    known_by: Type.Optional({
      ...IsoDate,
      description: 'Targets count as known by the end of this day. Today when it is left out.',
    }),
    quantiles: Type.Optional(options.quantiles),
    minimum_entities: Type.Optional(options.minimum_entities),
    newey_west_lags: Type.Optional(options.newey_west_lags),
  },
  {
    title: 'ResearchRunRequest',
    description: 'An experiment on snapshots. Without a target, that of the project.',
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
        { description: 'A snapshot, and what it holds by hash.' },
      ),
      { minItems: 1, maxItems: DATES_MAX, description: 'The snapshots by date.' },
    ),
    target: Target,
    known_by: IsoDate,
    ...options,
  },
  { title: 'ResearchRunInput', description: 'The request with every default filled in.' },
);

const Maybe = (description: string) => Nullable(Type.Number(), description);
const Share = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1 }), description);
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const SeriesStatistics = Closed(
  {
    dates: Count('Dates with a value.'),
    mean: Maybe('Mean over these dates. Null without one.'),
    standard_deviation: Nullable(
      Type.Number({ minimum: 0 }),
      'Standard deviation over the dates (ddof 1). Null below two.',
    ),
    t_stat: Maybe(
      'mean / (standard_deviation / sqrt(dates)). Of a coefficient of one date r sqrt((n - 2) / (1 - r^2)) of its n pairs. Null where it is undefined.',
    ),
    p_value: Share(
      "Two-sided probability of a t this far from 0 or further if the mean were 0: Student's t with dates - 1 degrees of freedom, of a coefficient of one date n - 2. Null where t_stat is.",
    ),
    newey_west_lags: Count('Lags of the Newey-West standard error.'),
    newey_west_t: Maybe(
      'mean over its Newey-West standard error (Bartlett weights, autocovariances divided by dates). Null where that is 0 or undefined.',
    ),
    newey_west_p: Share(
      'The same of newey_west_t by the standard normal distribution, which it follows in the limit of many dates: of few it is too small. Null where newey_west_t is.',
    ),
    hit_rate: Share('Share of the dates with a value above 0.'),
  },
  { title: 'SeriesStatistics', description: 'A statistic over the dates.' },
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
          pairs: Count('Entities with the feature and the target, over all dates.'),
          spearman: SeriesStatistics,
          pearson: SeriesStatistics,
          spread: SeriesStatistics,
        },
        {
          description: 'Information coefficients, and the mean target of the highest group less the lowest.',
        },
      ),
      { maxItems: 24, description: 'By horizon: how what the feature tells decays.' },
    ),
    turnover: Share(
      'Mean share of the highest group that was not in it one date before. Null below two dates.',
    ),
  },
  { title: 'FeatureFinding', description: 'How well one feature told of the target.' },
);

export const ExperimentResult = Closed(
  {
    dates: Type.Array(
      Closed(
        {
          as_of_date: IsoDate,
          entities: Count('Rows of the snapshot.'),
          targets: Type.Array(Count('Entities with a target at this horizon.'), {
            maxItems: 24,
            description: 'By horizon.',
          }),
        },
        { description: 'A date of the experiment.' },
      ),
      { maxItems: DATES_MAX, description: 'The dates in their order.' },
    ),
    features: Type.Array(FeatureFinding, { maxItems: FEATURES_MAX, description: 'The features by key.' }),
    correlations: Type.Array(
      Type.Array(Maybe('A correlation; null where no date has one.'), { maxItems: FEATURES_MAX }),
      {
        maxItems: FEATURES_MAX,
        description: 'Mean Spearman correlation of the features over the dates, in the order of `features`.',
      },
    ),
  },
  { title: 'ResearchRunResult', description: 'How well the features told of what came after.' },
);

const byDate = (description: string) =>
  Type.Array(Maybe('Null where there is none.'), { maxItems: DATES_MAX, description });

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
          pairs: Type.Array(Count('Pairs.'), {
            maxItems: DATES_MAX,
            description: 'Entities with the feature and the target.',
          }),
          spearman: byDate('Information coefficients of ranks.'),
          pearson: byDate('Information coefficients.'),
          spread: byDate('Spreads.'),
        }),
        { maxItems: 24, description: 'By horizon.' },
      ),
      turnover: byDate('Turnovers.'),
    },
    { description: 'The statistics of one feature, date by date.' },
  ),
  { maxItems: FEATURES_MAX, description: 'The statistics by date, in the order of `result.dates`.' },
);

export type ExperimentRequestBody = Static<typeof ExperimentRequestBody>;
export type ExperimentInput = Static<typeof ExperimentInput>;
export type SeriesStatistics = Static<typeof SeriesStatistics>;
export type FeatureFinding = Static<typeof FeatureFinding>;
