import Type from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { versionMembers } from './checkpoint.schema.ts';
import { baselineKinds } from './prediction.schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Size = (description: string) => Type.Number({ minimum: 0, description });
const MaybeP = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1 }), description);

const errors = {
  rmse: Size('Root mean squared error, in the unit of the target.'),
  mae: Size('Mean absolute error.'),
};

export const contenders = ['version', 'baseline', 'approved'] as const;

export const PredictionEvaluationResult = Closed(
  {
    passed: Type.Boolean({
      description:
        'Whether the squared error of the model is at most that of the baseline, and the approved version is not significantly better.',
    }),
    checkpoint_hash: Sha256Of('The checkpoint that was evaluated.'),
    fitted_rows: Count('Number of rows in the first fit.'),
    held_out_rows: Count('Number of held-out rows that were predicted.'),
    refits: Count('Number of refits during the walk-forward evaluation.'),
    ...errors,
    skill: Nullable(
      Type.Number({ maximum: 1 }),
      'Skill: 1 minus the mean squared error of the model divided by that of the baseline. Null if the error of the baseline is 0.',
    ),
    baseline: Closed(
      {
        kind: Type.Enum([...baselineKinds], {
          description: 'Kind of the baseline: the mean of the past rows, or the last value.',
        }),
        ...errors,
      },
      { description: 'The naive prediction of the same rows.' },
    ),
    difference_p_value: MaybeP(
      'Two-sided p-value of the Diebold-Mariano test against the baseline, with the small-sample correction. Null if the errors do not differ.',
    ),
    approved: Nullable(
      Closed(
        {
          version: versionMembers.version,
          version_uid: versionMembers.version_uid,
          ...errors,
          difference_p_value: MaybeP(
            'Two-sided p-value of the Diebold-Mariano test against the approved version.',
          ),
        },
        { description: 'A version of the model.' },
      ),
      'The approved version of the model, fitted to and evaluated on the same rows. Null if no approved version predicts the same target from the same columns.',
    ),
    confidence_set: Closed(
      {
        level: Type.Number({ description: 'Probability that the best contender is in the set.' }),
        resamples: Count('Number of bootstrap resamples of blocks of rows.'),
        block: Count('Number of rows per block.'),
        members: Type.Array(
          Closed(
            {
              name: Type.Enum([...contenders], { description: 'Name of the contender.' }),
              p_value: Type.Number({
                minimum: 0,
                maximum: 1,
                description: 'p-value of membership in the set.',
              }),
              in_set: Type.Boolean({ description: 'Whether the contender is in the set.' }),
            },
            { description: 'A contender for the confidence set.' },
          ),
          {
            description:
              'The contenders for the set: the evaluated version, the baseline, and the approved version if it was evaluated. `in_set` states which of them are in the set.',
          },
        ),
      },
      { description: 'The model confidence set of Hansen, Lunde and Nason, by squared errors.' },
    ),
  },
  {
    title: 'PredictionEvaluationResult',
    description: 'Out-of-sample performance of the model, in a walk-forward evaluation with refits.',
  },
);
