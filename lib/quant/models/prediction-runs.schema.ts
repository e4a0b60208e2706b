import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Day, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { Factor, TrainingSet, versionMembers } from '#lib/models/registry/checkpoint.schema.ts';
import { PredictionTask } from '#lib/models/registry/prediction.schema.ts';
import { lqmFamilies } from '#lib/models/registry/lqm.ts';
import { RunVersion } from './run-version.schema.ts';

/** Bounds of the rows of a prediction. */
export const PREDICTION_LIMITS = { rows: 1_000, columns: 200, latest: 500, datasetRows: 100_000 } as const;

const Row = Closed(
  {
    date: Day('Day of the row.'),
    values: Type.Record(
      Type.String({ minLength: 1, maxLength: 80 }),
      Nullable(Type.Number({ minimum: -1e300, maximum: 1e300 }), 'The value; null if it is missing.'),
      { maxProperties: PREDICTION_LIMITS.columns, description: 'Values by column.' },
    ),
  },
  { title: 'PredictionRow', description: 'A row of the columns that the model uses.' },
);
const Rows = Type.Array(Row, {
  minItems: 1,
  maxItems: PREDICTION_LIMITS.rows,
  description:
    'Rows in ascending order of their days, at most 1,000. Every row has all columns of the model.',
  examples: [[{ date: '2024-03-31', values: { spread: 1.2 } }]],
});
const Latest = Type.Integer({
  minimum: 1,
  maximum: PREDICTION_LIMITS.latest,
  description: 'Number of newest rows from which the model predicts, 1 to 500. Default: 1.',
  examples: [1],
});

export const PredictionModelInput = Closed(
  {
    dataset_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'Id of a numeric dataset with dates and with all columns of the model. Either this or `rows`.',
        examples: [12],
      }),
    ),
    rows: Type.Optional(Rows),
    as_of: Type.Optional(Day('Only rows up to this day are read. Default: all rows.')),
    latest: Type.Optional(Latest),
  },
  {
    title: 'PredictionModelInput',
    description: 'The rows from which a prediction model predicts.',
    examples: [{ dataset_id: 12, latest: 1 }],
  },
);
export type PredictionModelInput = Static<typeof PredictionModelInput>;

const ModelKey = Type.String({
  minLength: 1,
  maxLength: 80,
  description: 'Key of the model.',
  examples: ['rates_ridge'],
});

export const PredictionRunRequest = Closed({
  model: Uid(prefixes.lqmModel, 'The model.'),
  version: Type.Optional(RunVersion),
  input: PredictionModelInput,
});

export const PredictionRunInput = Closed(
  {
    model_key: ModelKey,
    ...versionMembers,
    training_uid: Uid(prefixes.modelTraining, 'The sealed training of the checkpoint.'),
    checkpoint_hash: Sha256Of('Hash of the checkpoint.'),
    target: { ...Factor, description: 'The predicted column.' },
    horizon: PredictionTask.properties.horizon,
    dataset: Nullable(TrainingSet, 'The content of the dataset; null if the request has the rows.'),
    rows: Nullable(Rows, 'The rows of the request; null for a dataset.'),
    as_of: Nullable(IsoDate, 'Last day that is read; null for all rows.'),
    latest: Latest,
  },
  { title: 'PredictionRunInput', description: 'The request with every default filled in.' },
);
export type PredictionRunInput = Static<typeof PredictionRunInput>;

export const PredictionRunResult = Closed(
  {
    target: { ...Factor, description: 'The predicted column.' },
    horizon: PredictionTask.properties.horizon,
    family: Type.Enum([...lqmFamilies], { description: 'Family of the model.' }),
    predictions: Type.Array(
      Closed(
        {
          date: { ...IsoDate, description: 'Day of the row from which the model predicts.' },
          prediction: Nullable(
            Type.Number({ description: 'Value of the target, `horizon` rows after this row.' }),
            'Value of the target, `horizon` rows after this row. Null if the row lacks a value, or if there are too few earlier rows.',
          ),
        },
        { title: 'ModelPrediction', description: 'A prediction.' },
      ),
      { maxItems: PREDICTION_LIMITS.latest, description: 'Predictions from the newest rows, oldest first.' },
    ),
    rows_read: Type.Integer({ minimum: 1, description: 'Number of rows that were read.' }),
  },
  { title: 'PredictionRunResult', description: 'Predictions of a model.' },
);
