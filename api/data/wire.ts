import Type from 'typebox';
import { Day } from '#lib/core/schema.ts';

export const KnownAtBasis = Type.Enum(['stated', 'assumed', 'imported'], {
  description:
    'How `known_at` was determined: `stated` in the file, `assumed` to be the end of the observed day, or ' +
    'taken from the later import that added the value (`imported`).',
});

export const rangeQuery = {
  from: Type.Optional(Day('First day, inclusive.')),
  to: Type.Optional(Day('Last day, inclusive.')),
};
