import Type from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { versionMembers } from './checkpoint.schema.ts';
import { baselineKinds } from './prediction.schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Size = (description: string) => Type.Number({ minimum: 0, description });
const MaybeP = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1 }), description);

const errors = {
  rmse: Size('Root of the mean squared error, in the unit of the target.'),
  mae: Size('Mean absolute error.'),
};

export const contenders = ['version', 'baseline', 'approved'] as const;

export const PredictionEvaluationResult = Closed(
  {
    passed: Type.Boolean({
      description:
        'Whether its squared error is no larger than that of the baseline, and the approved version is not significantly better.',
    }),
    checkpoint_hash: Sha256Of('The checkpoint that was evaluated.'),
    fitted_rows: Count('Rows that the first fit had.'),
    held_out_rows: Count('Rows that were told before they were known.'),
    refits: Count('How often the model was fitted again on the way.'),
    ...errors,
    skill: Nullable(
      Type.Number({ maximum: 1 }),
      'What it takes from the mean squared error of the baseline, as a share. Null where that is 0.',
    ),
    baseline: Closed(
      {
        kind: Type.Enum([...baselineKinds], { description: 'The mean of the past, or the last value.' }),
        ...errors,
      },
      { description: 'The naive prediction of the same rows.' },
    ),
    difference_p_value: MaybeP(
      'Two-sided p-value of the test of Diebold and Mariano against the baseline, with the correction for small samples. Null where they do not differ.',
    ),
    approved: Nullable(
      Closed(
        {
          version: versionMembers.version,
          version_uid: versionMembers.version_uid,
          ...errors,
          difference_p_value: MaybeP('The same test against this version.'),
        },
        { description: 'A version.' },
      ),
      'The approved version of the model, fitted to and told of the same rows. Null where there is none that tells the same of the same columns.',
    ),
    confidence_set: Closed(
      {
        level: Type.Number({ description: 'The best is in the set with this probability.' }),
        resamples: Count('Resamples of blocks of rows.'),
        block: Count('Rows of a block.'),
        members: Type.Array(
          Closed(
            {
              name: Type.Enum([...contenders], { description: 'Who.' }),
              p_value: Type.Number({ minimum: 0, maximum: 1, description: 'Of belonging to the set.' }),
              in_set: Type.Boolean({ description: 'Whether it does.' }),
            },
            { description: 'A contender.' },
          ),
          { description: 'The version, the baseline and the approved version.' },
        ),
      },
      { description: 'The model confidence set of Hansen, Lunde and Nason by squared errors.' },
    ),
  },
  {
    title: 'PredictionEvaluationResult',
    description: 'How the model tells of rows before they are known, refitted on the way.',
  },
);
