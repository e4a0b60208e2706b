import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { LqmModelUid, LqmVersionNumber } from '#lib/models/registry/checkpoint.schema.ts';
import { EvaluationInput } from '#lib/models/registry/model-run.schema.ts';

/** The share of the rows that an evaluation holds out by default. */
export const HOLDOUT_SHARE = 0.2;

const version = {
  version: Type.Optional({
    ...LqmVersionNumber,
    description: 'The version. The newest when it is left out.',
  }),
};

export const TrainingRequestBody = Closed(version, {
  title: 'ModelTrainingRequest',
  description: 'Which version.',
});

export const EvaluationRequestBody = Closed(
  {
    ...version,
    holdout_share: Type.Optional({ ...EvaluationInput.properties.holdout_share, default: HOLDOUT_SHARE }),
  },
  { title: 'ModelEvaluationRequest', description: 'Which version.' },
);

/** Path and body of a training, and of an evaluation. */
export const TrainingRequest = Closed({ model_uid: LqmModelUid, ...TrainingRequestBody.properties });
export const EvaluationRequest = Closed({ model_uid: LqmModelUid, ...EvaluationRequestBody.properties });
