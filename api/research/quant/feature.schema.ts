import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Line, Nullable, Uid } from '#lib/core/schema.ts';
import { FeatureKey } from '#lib/data/feature/definition.schema.ts';
import { entityTypes, featureFrequencies } from '#lib/data/feature/kind.ts';

export const EntityTypeSchema = Type.Enum([...entityTypes], { description: 'What each value is about.' });
export const FeatureStatus = Type.Enum(['active', 'retired'], {
  description: 'A retired feature keeps its values and gets no more.',
});
export const Entity = Line(100, 'What a value is about: a symbol, the id of a company.', 'AAPL');
const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [470] });

export const FeatureVersion = Closed(
  {
    uid: Uid(prefixes.featureVersion, 'The version.'),
    version: Type.Integer({ minimum: 1, description: 'Its number, from 1.', examples: [1] }),
    unit: Line(50, 'The unit of the values.', 'ratio'),
    frequency: Type.Enum([...featureFrequencies], { description: 'The periods that values are of.' }),
    dataset: Nullable(
      Closed({
        uid: Uid(prefixes.dataset, 'The dataset.'),
        kind: Type.String({ description: 'What it holds.', examples: ['prices'] }),
        name: Type.String({ description: 'Its name.', examples: ['prices'] }),
      }),
      'What the values are computed from. Null where the workspace is not entitled to it any more.',
    ),
    expression: Type.String({
      minLength: 1,
      description: 'How they are computed.',
      examples: ['lag(adj_close, 1) / lag(adj_close, 12) - 1'],
    }),
    max_age_days: Type.Integer({
      minimum: 1,
      description: 'A value older than this is stale.',
      examples: [40],
    }),
    created_by: Uid(prefixes.person, 'Who defined it.'),
    created_at: InstantOf('When it was defined.'),
  },
  { title: 'FeatureVersion', description: 'How a feature is computed. It never changes.' },
);

const described = {
  uid: Uid(prefixes.feature, 'The feature.'),
  key: FeatureKey,
  entity_type: EntityTypeSchema,
  description: Line(500, 'What it tells.', 'The return of eleven months, a month ago.'),
  owner: Uid(prefixes.person, 'Who answers for it.'),
  status: FeatureStatus,
  created_at: InstantOf('When it was first defined.'),
};

export const FeatureSummary = Closed(
  { ...described, latest: FeatureVersion },
  { title: 'FeatureSummary', description: 'A feature with its latest version.' },
);

export const FeatureDetail = Closed(
  {
    ...described,
    versions: Type.Array(FeatureVersion, { description: 'All versions, the latest first.' }),
    coverage: Nullable(
      Closed({
        values: count('Values, corrections among them.'),
        entities: count('Entities with values.'),
        first_event_time: Nullable(InstantOf('The first event.')),
        last_event_time: Nullable(InstantOf('The last event.')),
      }),
      'What the latest version held after its last materialisation. Null before the first.',
    ),
    freshness: Closed(
      {
        state: Type.Enum(['never', 'running', 'succeeded', 'failed'], {
          description: 'How the newest materialisation of the latest version stands.',
        }),
        is_current: Type.Boolean({ description: 'Whether all that its dataset took in is told.' }),
        dataset_revision: Nullable(count('The revision of the dataset that is told.')),
        told_until: Nullable(InstantOf('What was known until then is told.')),
        age_days: Nullable(Type.Integer({ description: 'Whole days since the last event.', examples: [12] })),
        is_stale: Nullable(Type.Boolean({ description: 'Whether that is more than the version allows.' })),
        progress: Nullable(
          Closed({
            mode: Type.Enum(['incremental', 'full'], { description: 'What is computed.' }),
            entities_total: count('Entities to be computed.'),
            entities_done: count('Those that are done.'),
            rows_written: count('Rows that were lacking.'),
          }),
          'Of the materialisation under way. Null while there is none.',
        ),
      },
      { description: 'How far the values of the latest version follow their dataset.' },
    ),
  },
  { title: 'Feature', description: 'A feature with its versions, and how its values stand.' },
);

export const FeatureValue = Closed(
  {
    entity: Entity,
    event_time: InstantOf('What the value is about: the last day of its period.'),
    known_at: InstantOf('From when on it was known.'),
    value: Type.Number({ description: 'The value, in the unit of the version.', examples: [0.1249] }),
    version: Type.Integer({ minimum: 1, description: 'The version that tells it.', examples: [1] }),
  },
  { title: 'FeatureValue', description: 'What a feature told of an entity at an event.' },
);
