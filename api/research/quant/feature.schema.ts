import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Line, Nullable, Uid } from '#lib/core/schema.ts';
import { FeatureKey } from '#lib/data/feature/definition.schema.ts';
import { entityTypes, featureFrequencies } from '#lib/data/feature/kind.ts';

export const EntityTypeSchema = Type.Enum([...entityTypes], {
  description: 'The kind of entity that the values describe.',
});
export const FeatureStatus = Type.Enum(['active', 'retired'], {
  description: 'The status of the feature. A `retired` feature keeps its values but gets no new ones.',
});
export const Entity = Line(
  100,
  'The key of an entity: the symbol of an instrument or the id of a company.',
  'AAPL',
);
const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [470] });

export const FeatureVersion = Closed(
  {
    uid: Uid(prefixes.featureVersion, 'Identifier of the version.'),
    version: Type.Integer({ minimum: 1, description: 'The version number, starting at 1.', examples: [1] }),
    unit: Line(50, 'The unit of the values.', 'ratio'),
    frequency: Type.Enum([...featureFrequencies], {
      description: 'The length of the periods of the values.',
    }),
    dataset: Nullable(
      Closed({
        uid: Uid(prefixes.dataset, 'The dataset.'),
        kind: Type.String({ description: 'The kind of the dataset.', examples: ['prices'] }),
        name: Type.String({ description: 'The name of the dataset.', examples: ['prices'] }),
      }),
      'The dataset from which the values are computed. Null if the workspace is no longer entitled to it.',
    ),
    expression: Type.String({
      minLength: 1,
      description: 'The expression that computes the values.',
      examples: ['lag(adj_close, 1) / lag(adj_close, 12) - 1'],
    }),
    max_age_days: Type.Integer({
      minimum: 1,
      description: 'The maximum age of a value, in days. An older value is stale.',
      examples: [40],
    }),
    created_by: Uid(prefixes.person, 'The person who defined the version.'),
    created_at: InstantOf('When the version was defined.'),
  },
  { title: 'FeatureVersion', description: 'A definition of a feature. A version never changes.' },
);

const described = {
  uid: Uid(prefixes.feature, 'Identifier of the feature.'),
  key: FeatureKey,
  entity_type: EntityTypeSchema,
  description: Line(
    500,
    'The meaning of the feature.',
    'The return over eleven months, ending one month ago.',
  ),
  owner: Uid(prefixes.person, 'The person responsible for the feature.'),
  status: FeatureStatus,
  created_at: InstantOf('When the feature was first defined.'),
};

export const FeatureSummary = Closed(
  { ...described, latest: FeatureVersion },
  { title: 'FeatureSummary', description: 'A feature with its latest version.' },
);

export const FeatureDetail = Closed(
  {
    ...described,
    versions: Type.Array(FeatureVersion, { description: 'All versions, latest first.' }),
    coverage: Nullable(
      Closed({
        values: count('The number of values, including corrections.'),
        entities: count('The number of entities with values.'),
        first_event_time: Nullable(InstantOf('The time of the first event.')),
        last_event_time: Nullable(InstantOf('The time of the last event.')),
      }),
      'The stored values of the latest version after its last successful materialisation. Null before the first materialisation.',
    ),
    freshness: Closed(
      {
        state: Type.Enum(['never', 'running', 'succeeded', 'failed'], {
          description: 'The state of the newest materialisation of the latest version.',
        }),
        is_current: Type.Boolean({
          description: 'Whether the values reflect the current revision of the dataset.',
        }),
        dataset_revision: Nullable(
          count(
            'The revision of the dataset that the values reflect; null before the first materialisation.',
          ),
        ),
        told_until: Nullable(
          InstantOf(
            'The values reflect the data known until this time; null before the first materialisation.',
          ),
        ),
        age_days: Nullable(
          Type.Integer({
            description: 'Whole days since the last event; null if there is no event.',
            examples: [12],
          }),
        ),
        is_stale: Nullable(
          Type.Boolean({
            description: 'Whether the age exceeds the maximum age of the version; null if there is no event.',
          }),
        ),
        progress: Nullable(
          Closed({
            mode: Type.Enum(['incremental', 'full'], { description: 'The mode of the materialisation.' }),
            entities_total: count('The number of entities to compute.'),
            entities_done: count('The number of computed entities.'),
            rows_written: count('The number of rows written so far.'),
          }),
          'The progress of the running materialisation. Null if none is running.',
        ),
      },
      { description: 'How current the values of the latest version are.' },
    ),
  },
  { title: 'Feature', description: 'A feature with its versions and the state of its values.' },
);

export const FeatureValue = Closed(
  {
    entity: Entity,
    event_time: InstantOf('The time that the value describes: the last day of its period.'),
    known_at: InstantOf('When the value became known.'),
    value: Type.Number({ description: 'The value, in the unit of the version.', examples: [0.1249] }),
    version: Type.Integer({ minimum: 1, description: 'The version that computed the value.', examples: [1] }),
  },
  { title: 'FeatureValue', description: 'The value of a feature for an entity and an event.' },
);
