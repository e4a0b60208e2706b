import Type, { type Static } from 'typebox';
import { Closed, Line, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { entityTypes, featureFrequencies } from '#lib/data/feature/kind.ts';
import { EXPRESSION_CHARACTERS_MAX } from '../feature-expression/token.ts';

export const FeatureKey = Type.String({
  pattern: '^(?!context$)[a-z][a-z0-9_.-]{0,99}$',
  description: 'Its name in the workspace.',
  examples: ['momentum_12_1'],
});

/** What a file that defines a feature says. */
export const FeatureDefinitionFile = Closed({
  key: FeatureKey,
  entity_type: Type.Enum([...entityTypes]),
  unit: Line(50, 'The unit of its values.', 'ratio'),
  frequency: Type.Enum([...featureFrequencies]),
  owner: Type.Optional(Uid(prefixes.person, 'Who answers for it; who defines it where left out.')),
  dataset: Uid(prefixes.dataset, 'The dataset it is computed from.'),
  expression: Type.String({ minLength: 1, maxLength: EXPRESSION_CHARACTERS_MAX }),
  max_age_days: Type.Integer({ minimum: 1, maximum: 36_600 }),
  description: Line(500, 'What it tells.', 'The return of eleven months, a month ago.'),
});
export type FeatureDefinitionFile = Static<typeof FeatureDefinitionFile>;
