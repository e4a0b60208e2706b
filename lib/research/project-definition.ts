import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';

/** The most entities of a universe, and the most features of a project. */
export const ENTITIES_MAX = 10_000;
export const FEATURES_MAX = 200;

export const FeatureKey = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Key of a feature of the workspace.',
  examples: ['momentum_12_1'],
});

export const EntityKey = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Key of an entity, such as the symbol of an instrument.',
  examples: ['AAPL'],
});

const Version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Version of the feature.',
  examples: [1],
});

const Months = (maximum: number, description: string) =>
  Type.Integer({ minimum: 0, maximum, description, examples: [1] });

export const Universe = Type.Union(
  [
    Closed({
      kind: Type.Literal('list', { description: 'Exactly the entities that are listed.' }),
      entities: Type.Array(EntityKey, {
        minItems: 1,
        maxItems: ENTITIES_MAX,
        uniqueItems: true,
        description: 'The entities.',
      }),
    }),
    Closed({
      kind: Type.Literal('observed', { description: 'Every entity with a value of any of the features.' }),
    }),
    Closed({
      kind: Type.Literal('sector', { description: 'The instruments of a sector, as known by the date.' }),
      sector: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name of the sector.',
        examples: ['Energy'],
      }),
    }),
  ],
  { description: 'Which entities are the rows.' },
);

export const Target = Closed(
  {
    feature: FeatureKey,
    version: Version,
    horizons_months: Type.Array(Months(120, 'Months ahead.'), {
      minItems: 1,
      maxItems: 24,
      uniqueItems: true,
      description: 'How many months behind the as-of date the target is dated.',
    }),
    span_months: Months(120, 'How many months a value of the target looks back from its date.'),
  },
  { title: 'ResearchTarget', description: 'What the features are to tell of.' },
);

/** A definition with every default filled in and every version named. */
export const ProjectDefinition = Closed(
  {
    universe: Universe,
    features: Type.Array(
      Closed({ key: FeatureKey, version: Version }, { description: 'A feature in one version.' }),
      { minItems: 1, maxItems: FEATURES_MAX, description: 'The columns, by key.' },
    ),
    target: Nullable(Target, 'What the features are to tell of; null where nothing is.'),
    calendar: Type.Enum(['any_day', 'month_end'], {
      description: 'The days that a snapshot can be as of.',
    }),
  },
  { title: 'ProjectDefinition', description: 'What a snapshot of the project holds.' },
);

/** A definition as it is written: versions may be left out for the newest, and the target with its defaults. */
export const WrittenDefinition = Closed({
  universe: Universe,
  features: Type.Array(Closed({ key: FeatureKey, version: Type.Optional(Version) }), {
    minItems: 1,
    maxItems: FEATURES_MAX,
  }),
  target: Type.Optional(
    Nullable(
      Closed({
        ...Target.properties,
        version: Type.Optional(Version),
        span_months: Type.Optional(Target.properties.span_months),
      }),
    ),
  ),
  calendar: Type.Optional(ProjectDefinition.properties.calendar),
});

export type ProjectDefinition = Static<typeof ProjectDefinition>;
export type WrittenDefinition = Static<typeof WrittenDefinition>;
export type ResearchTarget = Static<typeof Target>;
