import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { Factor, versionMembers } from './checkpoint.schema.ts';
import { ColumnProfiles, Profile } from './profile.schema.ts';

const Penalty = Type.Number({
  minimum: 1e-6,
  maximum: 1e6,
  description: 'Penalty of a squared coefficient of standardised columns, beside the mean squared error.',
});

export const RidgeFit = Closed(
  {
    family: Type.Literal('ridge', { description: 'Ridge regression.' }),
    lambda: Nullable(Penalty, 'The penalty. Null: the one with the smallest leave-one-out error.'),
  },
  { description: 'How a ridge regression is fitted.' },
);
export const VarFit = Closed(
  {
    family: Type.Literal('var', { description: 'Vector autoregression.' }),
    lags_max: Type.Integer({
      minimum: 1,
      maximum: 24,
      description: 'The most lags that are tried; the Bayesian information criterion chooses.',
    }),
  },
  { description: 'How a vector autoregression is fitted.' },
);
export const BoostingFit = Closed(
  {
    family: Type.Literal('gbt', { description: 'Gradient boosted trees.' }),
    trees: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Number of trees.' }),
    rate: Type.Number({ minimum: 0.001, maximum: 1, description: 'What a tree adds of what it tells.' }),
    depth: Type.Integer({ minimum: 1, maximum: 8, description: 'Splits from the root to a leaf at most.' }),
    leaf_rows_min: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Rows of a leaf at least.' }),
    bins: Type.Integer({ minimum: 2, maximum: 255, description: 'Bins of a column at most.' }),
  },
  { description: 'How boosted trees are fitted.' },
);
const SingleFit = Type.Union([RidgeFit, VarFit, BoostingFit], { description: 'How one model is fitted.' });
export type SingleFit = Static<typeof SingleFit>;

const Features = Type.Array(Factor, { minItems: 1, maxItems: 50, description: 'Columns in their order.' });

export const MEMBERS_MAX = 8;
const memberMembers = {
  name: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'A family, or the key and version of a model.',
    examples: ['ridge'],
  }),
  factors: Features,
  version: Nullable(
    Closed(
      {
        ...versionMembers,
        training_uid: Uid(prefixes.modelTraining, 'Its sealed training.'),
        checkpoint_hash: Sha256Of('Its checkpoint.'),
      },
      { description: 'A version.' },
    ),
    'The version whose checkpoint is a member. Null: the member is fitted with the ensemble.',
  ),
};

export const EnsembleFit = Closed(
  {
    family: Type.Literal('ensemble', { description: 'A weighted mean of models.' }),
    members: Type.Array(
      Closed(
        {
          ...memberMembers,
          weight: Nullable(
            Type.Number({ minimum: 0, maximum: 1 }),
            'Its weight; all together are 1. Null: weights are fitted to predictions of rows not fitted on.',
          ),
          fit: SingleFit,
        },
        { description: 'A member.' },
      ),
      { minItems: 2, maxItems: MEMBERS_MAX, description: 'The members in their order.' },
    ),
  },
  { description: 'How an ensemble is made.' },
);

export const HORIZON_MAX = 60;

/** The name under which what a model tells is compared, as a column beside those of the data. */
export const PREDICTION = '_prediction';

/** What is told of what, from when, and how it is fitted. */
export const PredictionTask = Closed(
  {
    target: Factor,
    horizon: Type.Integer({
      minimum: 0,
      maximum: HORIZON_MAX,
      description:
        'How many rows ahead. 0: the target of a row is told from the other columns of the row; else its own value is one of them.',
    }),
    fit: Type.Union([RidgeFit, VarFit, BoostingFit, EnsembleFit], { description: 'How it is fitted.' }),
  },
  { title: 'PredictionTask', description: 'What the model tells.' },
);
export type PredictionTask = Static<typeof PredictionTask>;

const Vector = (description: string) => Type.Array(Type.Number(), { description });
const Matrix = (description: string) => Type.Array(Vector('A row.'), { description });

export const RidgeParameters = Closed(
  {
    family: Type.Literal('ridge', { description: 'Ridge regression.' }),
    features: Features,
    intercept: Type.Number({ description: 'What is told where all columns are 0.' }),
    coefficients: Vector('What a unit of each column adds.'),
    lambda: Penalty,
    leave_one_out_error: Type.Number({
      minimum: 0,
      description: 'Mean squared error of rows told by the others.',
    }),
  },
  { description: 'A ridge regression.' },
);
export const VarParameters = Closed(
  {
    family: Type.Literal('var', { description: 'Vector autoregression.' }),
    features: Features,
    lags: Type.Integer({ minimum: 1, description: 'Rows that it looks back.' }),
    intercepts: Vector('The intercept of each column.'),
    matrices: Type.Array(Matrix('Of so many rows ago.'), { description: 'From one row ago on.' }),
    covariance: Matrix('Covariance of the residuals.'),
  },
  { description: 'A vector autoregression.' },
);
export const BoostingParameters = Closed(
  {
    family: Type.Literal('gbt', { description: 'Gradient boosted trees.' }),
    features: Features,
    start: Type.Number({ description: 'Where the sum of the trees starts.' }),
    rate: Type.Number({ description: 'What a tree adds of what it tells.' }),
    trees: Type.Array(
      Type.Array(
        Closed(
          {
            column: Type.Integer({ minimum: -1, description: 'Place of the column; -1 of a leaf.' }),
            threshold: Type.Number({ description: 'Values up to it go left.' }),
            left: Type.Integer({ minimum: -1, description: 'Place of the node below it.' }),
            right: Type.Integer({ minimum: -1, description: 'Place of the node above it.' }),
            value: Type.Number({ description: 'What a leaf tells.' }),
          },
          { description: 'A node.' },
        ),
        { description: 'A tree; its first node is the root.' },
      ),
      { description: 'The trees in the order they are added.' },
    ),
  },
  { description: 'Boosted trees.' },
);
const SingleParameters = Type.Union([RidgeParameters, VarParameters, BoostingParameters], {
  description: 'The parameters of one model.',
});
export type SingleParameters = Static<typeof SingleParameters>;

export const EnsembleParameters = Closed(
  {
    family: Type.Literal('ensemble', { description: 'A weighted mean of models.' }),
    members: Type.Array(
      Closed(
        {
          ...memberMembers,
          weight: Type.Number({ minimum: 0, maximum: 1, description: 'Its weight; all together are 1.' }),
          parameters: SingleParameters,
        },
        { description: 'A member.' },
      ),
      { description: 'The members in their order.' },
    ),
  },
  { description: 'An ensemble.' },
);
export const PredictionParameters = Type.Union(
  [RidgeParameters, VarParameters, BoostingParameters, EnsembleParameters],
  { description: 'The parameters.' },
);
export type PredictionParameters = Static<typeof PredictionParameters>;

export const baselineKinds = ['mean', 'last_value'] as const;

export const PredictionCheckpoint = Closed(
  {
    recipe: Type.Enum(['ridge/1', 'var/1', 'gbt/1', 'ensemble/1'], {
      description: 'How it was made; a recipe never changes.',
    }),
    factors: Features,
    target: Factor,
    horizon: PredictionTask.properties.horizon,
    parameters: PredictionParameters,
    baseline: Closed(
      {
        kind: Type.Enum([...baselineKinds], {
          description: 'The mean of the target, or its last value: what erred less on the rows fitted.',
        }),
        mean: Type.Number({ description: 'Mean of the target.' }),
      },
      { description: 'The naive prediction that it is held to.' },
    ),
    reference_profile: Closed(
      {
        target: Profile('The target in the rows that were fitted.'),
        predictions: Profile('What is told of these rows.'),
        columns: ColumnProfiles,
      },
      { description: 'What drift is measured from.' },
    ),
    first_day: IsoDate,
    last_day: IsoDate,
    training_data_hash: Sha256Of('Hash of the content it was trained on.'),
  },
  { title: 'PredictionCheckpoint', description: 'The parameters of a model that predicts a target.' },
);
export type PredictionCheckpoint = Static<typeof PredictionCheckpoint>;
