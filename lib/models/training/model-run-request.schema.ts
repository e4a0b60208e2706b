import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { LqmModelUid, LqmVersionNumber } from '#lib/models/registry/checkpoint.schema.ts';
import { EvaluationInput } from '#lib/models/registry/model-run.schema.ts';

/** Share of the rows that an evaluation holds out by default. */
export const HOLDOUT_SHARE = 0.2;

const version = {
  version: Type.Optional({
    ...LqmVersionNumber,
    description: 'Version of the model. Default: the newest version.',
  }),
};

export const TrainingRequestBody = Closed(version, {
  title: 'ModelTrainingRequest',
  description: 'The version to train.',
});

export const EvaluationRequestBody = Closed(
  {
    ...version,
    holdout_share: Type.Optional({ ...EvaluationInput.properties.holdout_share, default: HOLDOUT_SHARE }),
  },
  { title: 'ModelEvaluationRequest', description: 'The version to evaluate.' },
);

/** Path and body of a training request. */
export const TrainingRequest = Closed({ model_uid: LqmModelUid, ...TrainingRequestBody.properties });
export const EvaluationRequest = Closed({ model_uid: LqmModelUid, ...EvaluationRequestBody.properties });
