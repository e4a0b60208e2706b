import Type, { type Static } from 'typebox';
import { Closed, Line, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { entityTypes, featureFrequencies } from '#lib/data/feature/kind.ts';
import { EXPRESSION_CHARACTERS_MAX } from '../feature-expression/token.ts';

export const FeatureKey = Type.String({
  pattern: '^(?!context$)[a-z][a-z0-9_.-]{0,99}$',
  description: 'The key of the feature in its workspace.',
  examples: ['momentum_12_1'],
});

/** The content of a file that defines a feature. */
export const FeatureDefinitionFile = Closed({
  key: FeatureKey,
  entity_type: Type.Enum([...entityTypes]),
  unit: Line(50, 'The unit of the values.', 'ratio'),
  frequency: Type.Enum([...featureFrequencies]),
  owner: Type.Optional(
    Uid(prefixes.person, 'The person responsible for the feature. Default: the person who defines it.'),
  ),
  dataset: Uid(prefixes.dataset, 'The dataset from which the feature is computed.'),
  expression: Type.String({ minLength: 1, maxLength: EXPRESSION_CHARACTERS_MAX }),
  max_age_days: Type.Integer({ minimum: 1, maximum: 36_600 }),
  description: Line(
    500,
    'The meaning of the feature.',
    'The return over eleven months, ending one month ago.',
  ),
});
export type FeatureDefinitionFile = Static<typeof FeatureDefinitionFile>;
