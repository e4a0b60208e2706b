import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { Factor, LqmModelUid, TrainingSet, versionMembers } from '#lib/models/registry/checkpoint.schema.ts';
import { Profile } from '#lib/models/registry/profile.schema.ts';
import { columnStates, DRIFT_METHOD, performances, severities } from './drift-rule.ts';

export const DatasetId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'A governed numeric dataset that is newer than the data the model was trained on.',
  examples: [7],
});

export const DriftAssessmentRequest = Closed(
  { dataset_id: DatasetId },
  { title: 'DriftAssessmentRequest', description: 'The rows that are compared with those of the training.' },
);

/** Path and body of a drift assessment. */
export const DriftRequest = Closed({ model_uid: LqmModelUid, ...DriftAssessmentRequest.properties });
export type DriftRequest = Static<typeof DriftRequest>;

export const DriftInput = Closed(
  {
    ...versionMembers,
    training_uid: Uid(
      prefixes.modelTraining,
      'The training that made the checkpoint: its uid is that of the checkpoint.',
    ),
    checkpoint_hash: Sha256Of('The checkpoint.'),
    evaluation_uid: Uid(prefixes.modelEvaluation, 'The latest evaluation that was passed.'),
    evaluated_at: InstantOf('When it was.'),
    columns: Type.Array(Factor, { minItems: 1, maxItems: 50, description: 'The columns of the signature.' }),
    reference: TrainingSet,
    dataset: Closed(
      {
        uid: Uid(prefixes.dataset, 'The dataset.'),
        ...TrainingSet.properties,
      },
      { description: 'The content that is compared with the reference.' },
    ),
  },
  { title: 'DriftAssessmentInput', description: 'What is compared with what.' },
);
export type DriftInput = Static<typeof DriftInput>;

export const metricNames = [
  'missing_share',
  'kolmogorov_smirnov',
  'population_stability',
  'wasserstein',
  'wasserstein_normalised',
  'jensen_shannon',
  'energy',
  'chi_square',
  'mean_shift',
  'variance_ratio',
  'outside_reference_range',
  'hotelling',
  'mean_discrepancy',
  'energy_multivariate',
  'classifier_area',
] as const;

const MaybeNumber = (description: string) => Nullable(Type.Number(), description);
const Probability = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1 }), description);
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const DriftMetric = Closed(
  {
    column: Nullable(
      Factor,
      'The column; `_prediction` is what the model tells of the rows. Null of all columns together.',
    ),
    name: Type.Enum([...metricNames], {
      description:
        'The statistic. `missing_share` and `mean_shift` are changes, the latter in deviations of the reference; ' +
        '`wasserstein` is in the unit of the column, `wasserstein_normalised` in deviations of the reference.',
    }),
    value: MaybeNumber('Its value. Null where it cannot be told.'),
    p_value: Probability('How likely one as large is by chance. Null where there is no test.'),
    adjusted_p: Probability(
      'The same, adjusted for all tests of columns (Benjamini and Hochberg). Null where it is not one of them.',
    ),
    threshold: MaybeNumber('From where on a change is large enough to count. Null where it has none.'),
    state: Type.Enum(['drift', 'no_drift', 'evidence', 'unavailable'], {
      description: 'What it says. `evidence` decides nothing by itself.',
    }),
    n_reference: Count('Values of the reference that it rests on.'),
    n_current: Count('Values of the dataset that it rests on.'),
  },
  { title: 'DriftMetric', description: 'A statistic.' },
);
export type DriftMetric = Static<typeof DriftMetric>;

const Bound = (description: string) => Type.Number({ description });

export const DriftResult = Closed(
  {
    method: Type.Literal(DRIFT_METHOD, {
      description: 'The rule; what it says never changes under one name.',
    }),
    severity: Type.Enum([...severities], {
      description:
        'None; watch: a column has drifted; material: so many columns have, or the model does worse than it was accepted for.',
    }),
    retraining_requested: Type.Boolean({
      description: 'Whether people are asked to review a retraining. Nothing is trained by itself.',
    }),
    drifted_columns: Count('Columns that are shifted or lack other values than before.'),
    drifted_share: Type.Number({ minimum: 0, maximum: 1, description: 'Their share of all columns.' }),
    columns: Type.Array(
      Closed(
        {
          column: Factor,
          state: Type.Enum([...columnStates], {
            description:
              'Shifted: its values have another distribution; missing_shift: more or fewer are missing; insufficient: too few values to say.',
          }),
          constant_reference: Type.Boolean({
            description: 'Whether the reference has one value alone; then nothing is told in its deviations.',
          }),
          reference: Profile('The column in the reference.'),
          current: Profile('The column in the dataset.'),
        },
        { description: 'A column.' },
      ),
      { description: 'The columns in the order of the input.' },
    ),
    multivariate: Closed(
      {
        reason: Nullable(
          Type.Enum(['no_varying_columns', 'rows_insufficient']),
          'Why the columns were not tested together. Null where they were.',
        ),
        columns: Type.Array(Factor, { description: 'The columns that vary in the reference.' }),
        reference_rows: Count('Rows of the reference that lack none of them.'),
        current_rows: Count('Rows of the dataset that lack none of them.'),
        paired_reference_rows: Count('Those of which all pairs were compared.'),
        paired_current_rows: Count('Those of which all pairs were compared.'),
      },
      {
        description: 'What the tests of all columns together rest on. They are evidence and decide nothing.',
      },
    ),
    performance: Closed(
      {
        state: Type.Enum([...performances], {
          description:
            'How the checkpoint tells of the new months, beside the baseline that it was accepted by.',
        }),
        reason: Nullable(
          Type.Enum([
            'days_missing',
            'months_not_in_sequence',
            'values_missing',
            'density_not_finite',
            'days_repeated',
          ]),
          'Why that cannot be told. Null where it can.',
        ),
        log_score: MaybeNumber(
          'Mean logarithm of the density of a month, one step ahead; larger is better. Null of models that predict.',
        ),
        baseline_log_score: MaybeNumber('The same of one normal distribution of the reference.'),
        rmse: Type.Optional(
          Type.Number({ minimum: 0, description: 'Root mean squared error; of models that predict.' }),
        ),
        baseline_rmse: Type.Optional(
          Type.Number({ minimum: 0, description: 'The same of the baseline of the training.' }),
        ),
        difference_p_value: Probability('p-value of the test of Diebold and Mariano of the two.'),
      },
      { description: 'Whether the model still does what it was accepted for.' },
    ),
    metrics: Type.Array(DriftMetric, { description: 'Every statistic; each is also kept by itself.' }),
    thresholds: Closed(
      {
        false_discovery_rate: Bound('Level of the adjusted p-values.'),
        wasserstein_normalised: Bound('From here on a shift is large enough to count.'),
        population_stability: Bound('From here on a shift is large enough to count.'),
        missing_share: Bound('From here on a change of the share is large enough to count.'),
        performance_p: Bound('Level of the test of performance.'),
        material_share: Bound('Share of drifted columns that is material.'),
        values_min: Bound('Values that a column needs on both sides.'),
        rows_min: Bound('Rows that the dataset needs.'),
        rows_per_column: Bound('Whole rows for each column that tests of all columns together need.'),
        paired_rows_max: Bound('Rows of a side of which all pairs are compared at most.'),
        permutations: Bound('Permutations of the mean discrepancy.'),
        classifier_permutations: Bound('Permutations of the classifier.'),
      },
      { description: 'The bounds of the rule.' },
    ),
  },
  { title: 'DriftAssessmentResult', description: 'How far the dataset has drifted from the reference.' },
);
