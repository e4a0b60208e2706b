import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { Factor, LqmModelUid, TrainingSet, versionMembers } from '#lib/models/registry/checkpoint.schema.ts';
import { Profile } from '#lib/models/registry/profile.schema.ts';
import { columnStates, DRIFT_METHOD, performances, severities } from './drift-rule.ts';

export const DatasetId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Id of a governed numeric dataset that is newer than the training data of the model.',
  examples: [7],
});

export const DriftAssessmentRequest = Closed(
  { dataset_id: DatasetId },
  { title: 'DriftAssessmentRequest', description: 'The dataset to compare with the training data.' },
);

/** Path and body of a drift assessment. */
export const DriftRequest = Closed({ model_uid: LqmModelUid, ...DriftAssessmentRequest.properties });
export type DriftRequest = Static<typeof DriftRequest>;

export const DriftInput = Closed(
  {
    ...versionMembers,
    training_uid: Uid(
      prefixes.modelTraining,
      'The training that produced the checkpoint. The uid of the training identifies the checkpoint.',
    ),
    checkpoint_hash: Sha256Of('Hash of the checkpoint.'),
    evaluation_uid: Uid(prefixes.modelEvaluation, 'The latest evaluation that the checkpoint passed.'),
    evaluated_at: InstantOf('Time of the latest evaluation that the checkpoint passed.'),
    columns: Type.Array(Factor, {
      minItems: 1,
      maxItems: 50,
      description: 'The columns of the model signature.',
    }),
    reference: TrainingSet,
    dataset: Closed(
      {
        uid: Uid(prefixes.dataset, 'The uid of the dataset.'),
        ...TrainingSet.properties,
      },
      { description: 'The content that is compared with the reference.' },
    ),
  },
  { title: 'DriftAssessmentInput', description: 'The checkpoint and the dataset that are compared.' },
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
      "Name of the column; `_prediction` is the model's prediction. Null for all columns together.",
    ),
    name: Type.Enum([...metricNames], {
      description:
        'Name of the statistic. `missing_share` is a change of a share. `mean_shift` is a change in standard deviations of the reference. ' +
        '`wasserstein` is in the unit of the column, and `wasserstein_normalised` in standard deviations of the reference.',
    }),
    value: MaybeNumber('Value of the statistic. Null if it cannot be computed.'),
    p_value: Probability('Probability of a value at least as large by chance. Null if there is no test.'),
    adjusted_p: Probability(
      'The p-value adjusted for all column tests (Benjamini and Hochberg). Null if the statistic is not a column test.',
    ),
    threshold: MaybeNumber(
      'Value from which the statistic counts as drift. Null if the statistic has no threshold.',
    ),
    state: Type.Enum(['drift', 'no_drift', 'evidence', 'unavailable'], {
      description:
        'Verdict of the statistic. A statistic with the verdict `evidence` does not affect the severity.',
    }),
    n_reference: Count('Number of reference values used.'),
    n_current: Count('Number of dataset values used.'),
  },
  { title: 'DriftMetric', description: 'A drift statistic.' },
);
export type DriftMetric = Static<typeof DriftMetric>;

const Bound = (description: string) => Type.Number({ description });

export const DriftResult = Closed(
  {
    method: Type.Literal(DRIFT_METHOD, {
      description: 'Name of the assessment rule. A changed rule has a new name.',
    }),
    severity: Type.Enum([...severities], {
      description:
        'Severity of the drift. `watch`: a column has drifted. `material`: enough columns or the target have drifted, or the model performs worse than accepted.',
    }),
    retraining_requested: Type.Boolean({
      description: 'Whether a retraining review is recommended. Nothing is trained automatically.',
    }),
    drifted_columns: Count('Number of columns with shifted values or a changed share of missing values.'),
    drifted_share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of drifted columns among all columns.',
    }),
    columns: Type.Array(
      Closed(
        {
          column: Factor,
          state: Type.Enum([...columnStates], {
            description:
              'State of the column. `shifted`: the distribution of its values changed. `missing_shift`: the share of missing values changed. `insufficient`: too few values to test.',
          }),
          constant_reference: Type.Boolean({
            description:
              'Whether all reference values are equal. If true, statistics in units of the standard deviation of the reference are null, unless all current values equal the constant reference value too.',
          }),
          reference: Profile('Profile of the column in the reference.'),
          current: Profile('Profile of the column in the dataset.'),
        },
        { description: 'A compared column.' },
      ),
      { description: 'The compared columns, in the order of the input.' },
    ),
    multivariate: Closed(
      {
        reason: Nullable(
          Type.Enum(['no_varying_columns', 'rows_insufficient']),
          'Reason why the columns were not tested together. Null if they were tested.',
        ),
        columns: Type.Array(Factor, { description: 'Columns that vary in the reference.' }),
        reference_rows: Count('Number of reference rows without missing values in `columns`.'),
        current_rows: Count('Number of dataset rows without missing values in `columns`.'),
        paired_reference_rows: Count(
          'Number of reference rows used in the tests that compare all pairs of rows.',
        ),
        paired_current_rows: Count(
          'Number of dataset rows used in the tests that compare all pairs of rows.',
        ),
      },
      {
        description: 'Basis of the tests of all columns together. These tests do not affect the severity.',
      },
    ),
    performance: Closed(
      {
        state: Type.Enum([...performances], {
          description:
            'Verdict on the performance of the checkpoint on the new months, compared with the baseline of its evaluation.',
        }),
        reason: Nullable(
          Type.Enum([
            'days_missing',
            'months_not_in_sequence',
            'values_missing',
            'density_not_finite',
            'days_repeated',
          ]),
          'Reason why performance cannot be measured. Null if it was measured.',
        ),
        log_score: MaybeNumber(
          'Mean log density of a month, one step ahead; larger is better. Null for models that predict a target.',
        ),
        baseline_log_score: MaybeNumber('Mean log density under one normal distribution of the reference.'),
        rmse: Type.Optional(
          Type.Number({
            minimum: 0,
            description: 'Root mean squared error; only for models that predict a target.',
          }),
        ),
        baseline_rmse: Type.Optional(
          Type.Number({ minimum: 0, description: 'Root mean squared error of the training baseline.' }),
        ),
        difference_p_value: Probability(
          'p-value of the Diebold-Mariano test between the model and the baseline.',
        ),
      },
      { description: 'Whether the model still performs as well as when it was accepted.' },
    ),
    metrics: Type.Array(DriftMetric, {
      description: 'All statistics of the assessment.',
    }),
    thresholds: Closed(
      {
        false_discovery_rate: Bound('Significance level of the adjusted p-values.'),
        wasserstein_normalised: Bound('Normalised Wasserstein distance from which a shift counts as drift.'),
        population_stability: Bound('Population stability index from which a shift counts as drift.'),
        missing_share: Bound('Smallest change in the share of missing values that counts as drift.'),
        performance_p: Bound('Significance level of the performance test.'),
        material_share: Bound('Share of drifted columns from which the drift is material.'),
        values_min: Bound('Minimum number of values of a column, in the reference and in the dataset.'),
        rows_min: Bound('Minimum number of rows of the dataset.'),
        rows_per_column: Bound(
          'Minimum number of complete rows per column for tests of all columns together.',
        ),
        paired_rows_max: Bound(
          'Maximum number of reference rows, and of dataset rows, in tests that compare all pairs of rows.',
        ),
        permutations: Bound('Number of permutations of the mean discrepancy test.'),
        classifier_permutations: Bound('Number of permutations of the classifier test.'),
      },
      { description: 'The thresholds of the rule.' },
    ),
  },
  { title: 'DriftAssessmentResult', description: 'Drift of the dataset from the reference.' },
);
