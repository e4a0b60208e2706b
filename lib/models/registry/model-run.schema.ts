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
    family: Type.Enum([...lqmFamilies], { description: 'Model family.' }),
    factors: Type.Array(Factor, { minItems: 1, maxItems: 50, description: 'The factors, in column order.' }),
    dataset: TrainingSet,
    regimes_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3,
        description: 'Maximum number of regimes to try. Only for regime models.',
      }),
    ),
    prediction: Type.Optional(PredictionTask),
    profile: Type.Optional(
      Type.Literal('columns', {
        description: 'Always `columns`: the checkpoint stores the reference profile of each column.',
      }),
    ),
  },
  { title: 'ModelTrainingInput', description: 'The version to train and its dataset.' },
);
export type ModelRunInput = Static<typeof ModelRunInput>;

const Size = (description: string) => Type.Number({ minimum: 0, description });

const PredictionTrainingResult = Closed(
  {
    checkpoint: PredictionCheckpoint,
    checkpoint_hash: Sha256Of('SHA-256 of the RFC 8785 form of the checkpoint.'),
    rows: Type.Integer({ minimum: 1, description: 'Number of rows fitted.' }),
    mean_squared_error: Size('In-sample mean squared error. It understates the error on new rows.'),
    baseline_mean_squared_error: Size('In-sample mean squared error of the baseline.'),
  },
  { title: 'PredictionTrainingResult', description: 'The checkpoint, and its in-sample errors.' },
);

/** A checkpoint of any family. */
export type AnyCheckpoint = Checkpoint | PredictionCheckpoint;

export const TrainingResult = Type.Union([RegimeTrainingResult, PredictionTrainingResult], {
  description: 'The checkpoint, and the details of the fit.',
});

export const EvaluationInput = Closed(
  {
    ...ModelRunInput.properties,
    training_uid: Uid(prefixes.modelTraining, 'The sealed training.'),
    checkpoint_hash: Sha256Of('Hash of the checkpoint that the sealed training produced.'),
    holdout_share: Type.Number({
      minimum: 0.1,
      maximum: 0.5,
      description: 'Share of the rows, taken from the end, to hold out from the fit.',
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
        { description: 'The approved version to compare with. Only for models that predict a target.' },
      ),
    ),
  },
  { title: 'ModelEvaluationInput', description: 'The checkpoint to evaluate.' },
);

export const EvaluationResult = Type.Union([RegimeEvaluationResult, PredictionEvaluationResult], {
  description: 'Performance of the model on held-out rows.',
});
