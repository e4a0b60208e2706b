import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { Factor, versionMembers } from './checkpoint.schema.ts';
import { ColumnProfiles, Profile } from './profile.schema.ts';

const Penalty = Type.Number({
  minimum: 1e-6,
  maximum: 1e6,
  description:
    'Penalty on each squared coefficient of standardised columns, added to the mean squared error.',
});

export const RidgeFit = Closed(
  {
    family: Type.Literal('ridge', { description: 'Ridge regression.' }),
    lambda: Nullable(
      Penalty,
      'Ridge penalty. Null: the penalty with the smallest leave-one-out error is chosen.',
    ),
  },
  { description: 'Settings of a ridge regression.' },
);
export const VarFit = Closed(
  {
    family: Type.Literal('var', { description: 'Vector autoregression.' }),
    lags_max: Type.Integer({
      minimum: 1,
      maximum: 24,
      description: 'Maximum number of lags to try. The Bayesian information criterion chooses among them.',
    }),
  },
  { description: 'Settings of a vector autoregression.' },
);
export const BoostingFit = Closed(
  {
    family: Type.Literal('gbt', { description: 'Gradient boosted trees.' }),
    trees: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Number of trees.' }),
    rate: Type.Number({
      minimum: 0.001,
      maximum: 1,
      description: "Learning rate: the share of each tree's output that is added.",
    }),
    depth: Type.Integer({
      minimum: 1,
      maximum: 8,
      description: 'Maximum number of splits from the root to a leaf.',
    }),
    leaf_rows_min: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Minimum number of rows in a leaf.',
    }),
    bins: Type.Integer({ minimum: 2, maximum: 255, description: 'Maximum number of bins per column.' }),
  },
  { description: 'Settings of gradient boosted trees.' },
);
const SingleFit = Type.Union([RidgeFit, VarFit, BoostingFit], { description: 'Settings of one model.' });
export type SingleFit = Static<typeof SingleFit>;

const Features = Type.Array(Factor, {
  minItems: 1,
  maxItems: 50,
  description: 'The columns that the member uses, in order.',
});

export const MEMBERS_MAX = 8;
const memberMembers = {
  name: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'A model family, or the key and version of a model.',
    examples: ['ridge'],
  }),
  factors: Features,
  version: Nullable(
    Closed(
      {
        ...versionMembers,
        training_uid: Uid(prefixes.modelTraining, 'The sealed training of the version.'),
        checkpoint_hash: Sha256Of('Hash of the checkpoint that the training produced.'),
      },
      { description: 'A version.' },
    ),
    'The version whose checkpoint is the member. Null: the member is fitted with the ensemble.',
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
            'Weight of the member; the weights sum to 1. Null: weights are fitted to out-of-sample predictions.',
          ),
          fit: SingleFit,
        },
        { description: 'A member of the ensemble.' },
      ),
      { minItems: 2, maxItems: MEMBERS_MAX, description: 'The members, in order.' },
    ),
  },
  { description: 'Settings of an ensemble.' },
);

export const HORIZON_MAX = 60;

/**
 * Name of the column of predictions in a comparison. Predictions are compared in the same way as the columns of the
 * data.
 */
export const PREDICTION = '_prediction';

/** The prediction task: the target, the horizon, the features and the fit. */
export const PredictionTask = Closed(
  {
    target: Factor,
    horizon: Type.Integer({
      minimum: 0,
      maximum: HORIZON_MAX,
      description:
        'Prediction horizon, in rows ahead. 0 predicts the target of a row from the other columns of that row. If the horizon is above 0, the current value of the target is also an input.',
    }),
    fit: Type.Union([RidgeFit, VarFit, BoostingFit, EnsembleFit], { description: 'Settings of the fit.' }),
  },
  { title: 'PredictionTask', description: 'The task of a model that predicts a target.' },
);
export type PredictionTask = Static<typeof PredictionTask>;

const Vector = (description: string) => Type.Array(Type.Number(), { description });
const Matrix = (description: string) => Type.Array(Vector('A row of the matrix.'), { description });

export const RidgeParameters = Closed(
  {
    family: Type.Literal('ridge', { description: 'Ridge regression.' }),
    features: Features,
    intercept: Type.Number({ description: 'Prediction if all columns are 0.' }),
    coefficients: Vector('Change in the prediction per unit of each column.'),
    lambda: Penalty,
    leave_one_out_error: Type.Number({
      minimum: 0,
      description: 'Leave-one-out mean squared error.',
    }),
  },
  { description: 'A ridge regression.' },
);
export const VarParameters = Closed(
  {
    family: Type.Literal('var', { description: 'Vector autoregression.' }),
    features: Features,
    lags: Type.Integer({ minimum: 1, description: 'Number of past rows used.' }),
    intercepts: Vector('The intercept of each column.'),
    matrices: Type.Array(Matrix('Coefficients of one lag.'), {
      description: 'Coefficient matrices by lag, starting with lag 1.',
    }),
    covariance: Matrix('Covariance of the residuals.'),
  },
  { description: 'A vector autoregression.' },
);
export const BoostingParameters = Closed(
  {
    family: Type.Literal('gbt', { description: 'Gradient boosted trees.' }),
    features: Features,
    start: Type.Number({ description: 'Initial prediction, to which the outputs of the trees are added.' }),
    rate: Type.Number({ description: "Learning rate: the share of each tree's output that is added." }),
    trees: Type.Array(
      Type.Array(
        Closed(
          {
            column: Type.Integer({
              minimum: -1,
              description: 'Index of the column to split on; -1 for a leaf.',
            }),
            threshold: Type.Number({ description: 'Values up to the threshold go left.' }),
            left: Type.Integer({ minimum: -1, description: 'Index of the left child node; -1 for a leaf.' }),
            right: Type.Integer({
              minimum: -1,
              description: 'Index of the right child node; -1 for a leaf.',
            }),
            value: Type.Number({ description: 'Prediction of the leaf.' }),
          },
          { description: 'A node of a tree.' },
        ),
        { description: 'A tree; its first node is the root.' },
      ),
      { description: 'The trees, in the order they are added.' },
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
          weight: Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'Weight of the member; the weights sum to 1.',
          }),
          parameters: SingleParameters,
        },
        { description: 'A member of the ensemble.' },
      ),
      { description: 'The members, in order.' },
    ),
  },
  { description: 'An ensemble.' },
);
export const PredictionParameters = Type.Union(
  [RidgeParameters, VarParameters, BoostingParameters, EnsembleParameters],
  { description: 'The parameters of the model.' },
);
export type PredictionParameters = Static<typeof PredictionParameters>;

export const baselineKinds = ['mean', 'last_value'] as const;

export const PredictionCheckpoint = Closed(
  {
    recipe: Type.Enum(['ridge/1', 'var/1', 'gbt/1', 'ensemble/1'], {
      description: 'Recipe that trained the model. A changed recipe has a new name.',
    }),
    factors: Features,
    target: Factor,
    horizon: PredictionTask.properties.horizon,
    parameters: PredictionParameters,
    baseline: Closed(
      {
        kind: Type.Enum([...baselineKinds], {
          description:
            'Type of the baseline: the mean of the target or its last value, whichever had the smaller in-sample error.',
        }),
        mean: Type.Number({ description: 'Mean of the target.' }),
      },
      { description: 'The naive prediction that the model is compared with.' },
    ),
    reference_profile: Closed(
      {
        target: Profile('Profile of the target in the fitted rows.'),
        predictions: Profile('Profile of the predictions for the fitted rows.'),
        columns: ColumnProfiles,
      },
      { description: 'Reference profiles for measuring drift.' },
    ),
    first_day: IsoDate,
    last_day: IsoDate,
    training_data_hash: Sha256Of('Hash of the training data.'),
  },
  { title: 'PredictionCheckpoint', description: 'The parameters of a model that predicts a target.' },
);
export type PredictionCheckpoint = Static<typeof PredictionCheckpoint>;
