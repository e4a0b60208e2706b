import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';

/** The maximum number of entities in a universe. The next constant is the maximum number of features in a project. */
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
      kind: Type.Literal('list', { description: 'The universe has exactly the listed entities.' }),
      entities: Type.Array(EntityKey, {
        minItems: 1,
        maxItems: ENTITIES_MAX,
        uniqueItems: true,
        description: 'The entities.',
      }),
    }),
    Closed({
      kind: Type.Literal('observed', {
        description: 'The universe has every entity with a value of at least one of the features.',
      }),
    }),
    Closed({
      kind: Type.Literal('sector', {
        description: 'The universe has the instruments of a sector, as known by the as-of date.',
      }),
      sector: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name of the sector.',
        examples: ['Energy'],
      }),
    }),
  ],
  { description: 'The entities that form the rows.' },
);

export const Target = Closed(
  {
    feature: FeatureKey,
    version: Version,
    horizons_months: Type.Array(Months(120, 'A horizon, in months after the as-of date.'), {
      minItems: 1,
      maxItems: 24,
      uniqueItems: true,
      description: 'The horizons, in months after the as-of date.',
    }),
    span_months: Months(
      120,
      'The length of the period that a target value covers, in months up to its date.',
    ),
  },
  { title: 'ResearchTarget', description: 'The target that the features should predict.' },
);

/** A definition with all defaults and versions filled in. */
export const ProjectDefinition = Closed(
  {
    universe: Universe,
    features: Type.Array(
      Closed({ key: FeatureKey, version: Version }, { description: 'A feature in a specific version.' }),
      { minItems: 1, maxItems: FEATURES_MAX, description: 'The columns, ordered by key.' },
    ),
    target: Nullable(Target, 'The target that the features should predict; null if there is none.'),
    calendar: Type.Enum(['any_day', 'month_end'], {
      description: 'The days on which a snapshot can be taken.',
    }),
  },
  { title: 'ProjectDefinition', description: 'The content of the snapshots of a project.' },
);

/**
 * A definition as a person writes it. For a feature without a version, the newest version is used. The target and its
 * members have defaults.
 */
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
