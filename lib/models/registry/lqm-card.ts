import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { Factor, LqmModelUid, LqmVersionNumber, LqmVersionUid, TrainingSet } from './checkpoint.schema.ts';
import { lqmFamilies, lqmStates } from './lqm.ts';
import { PredictionTask } from './prediction.schema.ts';
import type { LqmInVersion } from './lqm.query.ts';

export const LqmState = Type.Enum([...lqmStates], {
  description: 'State of the version, derived from its training, evaluation, approval and retirement.',
});

export const ServedOn = Type.String({
  format: 'date',
  description: 'Returns only versions that were serving versions at the end of this day (UTC).',
  examples: ['2026-11-21'],
});

export const LqmCard = Closed(
  {
    uid: LqmModelUid,
    key: Type.String({
      description: 'Key of the model, unique in the workspace.',
      examples: ['equity_regimes'],
    }),
    name: Type.String({ description: 'Display name of the model.', examples: ['Equity regimes'] }),
    family: Type.Enum([...lqmFamilies], { description: 'Model family.' }),
    version_uid: LqmVersionUid,
    version: LqmVersionNumber,
    state: LqmState,
    serves: Type.Boolean({
      description: 'Whether generative runs or the predictions of the model currently use this version.',
    }),
    content_hash: Sha256Of('SHA-256 of the RFC 8785 form of the definition.'),
    signature: Closed(
      {
        factors: Type.Array(
          Closed(
            {
              name: Factor,
              unit: Type.String({ description: 'Unit of the factor.', examples: ['log_return'] }),
            },
            { description: 'A factor.' },
          ),
          { description: 'The factors, in column order.' },
        ),
        max_age_days: Type.Integer({
          minimum: 1,
          description: 'Maximum age of the newest data row when the model is used for serving, in days.',
        }),
        store: Nullable(
          Closed(
            {
              feature: Type.String({ description: 'Key of the feature.', examples: ['log_return_1m'] }),
              version: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
              tolerance_days: Type.Integer({
                minimum: 0,
                description: 'Maximum time between the last values of the factors, in days.',
              }),
            },
            { description: 'A feature of the feature store.' },
          ),
          'The feature whose entities are the factors. Null if the newest month is taken from the dataset.',
        ),
        target: Nullable(Factor, 'The column that is predicted. Null for models that generate scenarios.'),
        horizon: Nullable(
          PredictionTask.properties.horizon,
          'Prediction horizon, in rows ahead. Null if the model predicts no target.',
        ),
      },
      { description: 'Inputs and outputs of the model.' },
    ),
    training_data: Closed(
      {
        ...TrainingSet.properties,
        snapshots: Nullable(
          Closed(
            {
              project_id: Type.Integer({ minimum: 1, description: 'Id of the research project.' }),
              project_version: Type.Integer({
                minimum: 1,
                description: 'Version of the project definition.',
              }),
              count: Type.Integer({ minimum: 1, description: 'Number of snapshots; each gives one row.' }),
              first: IsoDate,
              last: IsoDate,
            },
            { description: 'Sealed research snapshots, from the first as-of date to the last.' },
          ),
          'The research snapshots that the content was built from. The content hash covers the hash of each snapshot. Null for imported content.',
        ),
      },
      { description: 'The dataset content that the model is trained on.' },
    ),
    training_uid: Nullable(
      Uid(prefixes.modelTraining, 'A training.'),
      'The latest sealed training. Null before the first training.',
    ),
    checkpoint_hash: Nullable(
      Sha256Of('A checkpoint.'),
      'Hash of the checkpoint of the latest sealed training. Null before the first training.',
    ),
    evaluation_uid: Nullable(
      Uid(prefixes.modelEvaluation, 'An evaluation.'),
      'The latest sealed evaluation of the checkpoint. Null before the first evaluation.',
    ),
    evaluation_passed: Nullable(
      Type.Boolean(),
      'Whether the latest sealed evaluation passed. Null before the first evaluation.',
    ),
    author_uid: Uid(prefixes.person, 'The person who wrote the version.'),
    approved_by_uid: Nullable(
      Uid(prefixes.person, 'A person.'),
      'The person who approved the version, never its author.',
    ),
    approved_at: Nullable(InstantOf('Time of approval.')),
    retired_at: Nullable(InstantOf('Time of retirement.')),
    created_at: InstantOf('Time at which the version was written.'),
  },
  { title: 'NumericModel', description: 'A version of a numeric model.' },
);

export function presentLqm(found: LqmInVersion): Static<typeof LqmCard> {
  const { columns, dataset, max_age_days, prediction, store } = found.definition;
  const { id, revision, content_hash } = dataset;
  return {
    uid: found.modelUid,
    key: found.key,
    name: found.name,
    family: found.family,
    version_uid: found.versionUid,
    version: found.version,
    state: found.state,
    serves: found.serves,
    content_hash: found.contentHash,
    signature: {
      factors: columns.map(({ name, unit }) => ({ name, unit })),
      max_age_days,
      store: store
        ? { feature: store.feature, version: store.version, tolerance_days: store.tolerance_days }
        : null,
      target: prediction?.target ?? null,
      horizon: prediction?.horizon ?? null,
    },
    training_data: { id, revision, content_hash, snapshots: found.snapshots },
    training_uid: found.trainingUid,
    checkpoint_hash: found.checkpointHash,
    evaluation_uid: found.evaluationUid,
    evaluation_passed: found.passed,
    author_uid: found.authorUid,
    approved_by_uid: found.approvedBy,
    approved_at: found.approvedAt,
    retired_at: found.retiredAt,
    created_at: found.createdAt,
  };
}
