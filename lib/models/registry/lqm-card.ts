import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { Factor, LqmModelUid, LqmVersionNumber, LqmVersionUid, TrainingSet } from './checkpoint.schema.ts';
import { lqmFamilies, lqmStates } from './lqm.ts';
import { PredictionTask } from './prediction.schema.ts';
import type { LqmInVersion } from './lqm.query.ts';

export const LqmState = Type.Enum([...lqmStates], {
  description:
    'What became of the version: a sealed training, a sealed evaluation, an approval, its retirement.',
});

export const ServedOn = Type.String({
  format: 'date',
  description: 'Only the versions that served at the end of this day, UTC.',
  examples: ['2026-11-21'],
});

export const LqmCard = Closed(
  {
    uid: LqmModelUid,
    key: Type.String({ description: 'Unique in the workspace.', examples: ['equity_regimes'] }),
    name: Type.String({ description: 'For people.', examples: ['Equity regimes'] }),
    family: Type.Enum([...lqmFamilies], { description: 'What kind of model it is.' }),
    version_uid: LqmVersionUid,
    version: LqmVersionNumber,
    state: LqmState,
    serves: Type.Boolean({
      description: 'Whether it serves now: generative runs, or the predictions of its model.',
    }),
    content_hash: Sha256Of('SHA-256 of the RFC 8785 form of the definition.'),
    signature: Closed(
      {
        factors: Type.Array(
          Closed(
            { name: Factor, unit: Type.String({ description: 'Its unit.', examples: ['log_return'] }) },
            { description: 'A factor.' },
          ),
          { description: 'The factors in their order.' },
        ),
        max_age_days: Type.Integer({
          minimum: 1,
          description: 'How old the newest row may be when it serves.',
        }),
        store: Nullable(
          Closed(
            {
              feature: Type.String({ description: 'Key of the feature.', examples: ['log_return_1m'] }),
              version: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
              tolerance_days: Type.Integer({
                minimum: 0,
                description: 'How many days the last values of the factors may lie apart.',
              }),
            },
            { description: 'A feature of the store.' },
          ),
          'Whose entities the factors are. Null where the newest month is that of the dataset.',
        ),
        target: Nullable(
          Factor,
          'The column that is predicted. Null of models that scenarios are drawn from.',
        ),
        horizon: Nullable(PredictionTask.properties.horizon, 'How many rows ahead. Null without a target.'),
      },
      { description: 'What it takes and gives.' },
    ),
    training_data: Closed(
      {
        ...TrainingSet.properties,
        snapshots: Nullable(
          Closed(
            {
              project_id: Type.Integer({ minimum: 1, description: 'The research project.' }),
              project_version: Type.Integer({ minimum: 1, description: 'The version of its definition.' }),
              count: Type.Integer({ minimum: 1, description: 'How many there are, a row for each.' }),
              first: IsoDate,
              last: IsoDate,
            },
            { description: 'Sealed research snapshots, from the first as-of date to the last.' },
          ),
          'What the content was put together from; its hash covers the hash of each. Null of what was imported.',
        ),
      },
      { description: 'The content that the model is made from.' },
    ),
    training_uid: Nullable(
      Uid(prefixes.modelTraining, 'A training.'),
      'The latest sealed training. Null before.',
    ),
    checkpoint_hash: Nullable(Sha256Of('A checkpoint.'), 'Its checkpoint. Null before.'),
    evaluation_uid: Nullable(
      Uid(prefixes.modelEvaluation, 'An evaluation.'),
      'The latest sealed evaluation of the checkpoint. Null before.',
    ),
    evaluation_passed: Nullable(Type.Boolean(), 'Whether it was passed. Null before.'),
    author_uid: Uid(prefixes.person, 'Who wrote the version.'),
    approved_by_uid: Nullable(
      Uid(prefixes.person, 'A person.'),
      'Who approved it, another than who wrote it.',
    ),
    approved_at: Nullable(InstantOf('When it was approved.')),
    retired_at: Nullable(InstantOf('When it was retired.')),
    created_at: InstantOf('When the version was written.'),
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
