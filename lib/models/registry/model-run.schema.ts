import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Sha256Of, Uid } from '#lib/core/schema.ts';
import {
  Checkpoint,
  Factor,
  RegimeEvaluationResult,
  RegimeTrainingResult,
  TrainingSet,
  versionMembers,
} from './checkpoint.schema.ts';
import { lqmFamilies } from './lqm.ts';
import { PredictionEvaluationResult } from './prediction-evaluation.schema.ts';
import { PredictionCheckpoint, PredictionTask } from './prediction.schema.ts';

export const ModelRunInput = Closed(
  {
    ...versionMembers,
    family: Type.Enum([...lqmFamilies], { description: 'The family of the model.' }),
    factors: Type.Array(Factor, { minItems: 1, maxItems: 50, description: 'The factors in their order.' }),
    dataset: TrainingSet,
    regimes_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3,
        description: 'The most regimes that are tried; of regime models alone.',
      }),
    ),
    prediction: Type.Optional(PredictionTask),
    profile: Type.Optional(
      Type.Literal('columns', { description: 'The checkpoint keeps the reference profile of each column.' }),
    ),
  },
  { title: 'ModelTrainingInput', description: 'What is trained, and on what.' },
);
export type ModelRunInput = Static<typeof ModelRunInput>;

const Size = (description: string) => Type.Number({ minimum: 0, description });

const PredictionTrainingResult = Closed(
  {
    checkpoint: PredictionCheckpoint,
    checkpoint_hash: Sha256Of('SHA-256 of the RFC 8785 form of the checkpoint.'),
    rows: Type.Integer({ minimum: 1, description: 'Rows that were fitted.' }),
    mean_squared_error: Size('On the rows that were fitted: too good a picture of the next ones.'),
    baseline_mean_squared_error: Size('The same of the baseline.'),
  },
  { title: 'PredictionTrainingResult', description: 'The checkpoint, and how it fits.' },
);

/** A checkpoint of any family. */
export type AnyCheckpoint = Checkpoint | PredictionCheckpoint;

export const TrainingResult = Type.Union([RegimeTrainingResult, PredictionTrainingResult], {
  description: 'The checkpoint and how it came about.',
});

export const EvaluationInput = Closed(
  {
    ...ModelRunInput.properties,
    training_uid: Uid(prefixes.modelTraining, 'The sealed training.'),
    checkpoint_hash: Sha256Of('Its checkpoint.'),
    holdout_share: Type.Number({
      minimum: 0.1,
      maximum: 0.5,
      description: 'The last rows that the model is fitted without.',
      examples: [0.2],
    }),
    approved: Type.Optional(
      Closed(
        {
          version: versionMembers.version,
          version_uid: versionMembers.version_uid,
          factors: ModelRunInput.properties.factors,
          prediction: PredictionTask,
        },
        { description: 'The approved version that it is compared with; of models that predict.' },
      ),
    ),
  },
  { title: 'ModelEvaluationInput', description: 'What is evaluated.' },
);

export const EvaluationResult = Type.Union([RegimeEvaluationResult, PredictionEvaluationResult], {
  description: 'How the model tells of rows that it was not fitted on.',
});
