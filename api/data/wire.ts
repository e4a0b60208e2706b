import Type from 'typebox';
import { IsoDate } from '#lib/core/schema.ts';

/** Returns the schema of a decimal number, which is sent exactly as imported. */
export function Decimal(description: string, example: string) {
  return Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', description, examples: [example] });
}

export function Day(description: string) {
  return Type.String({ ...IsoDate, description });
}

export const KnownAtBasis = Type.Enum(['stated', 'assumed', 'imported'], {
  description:
    'How `known_at` was determined: `stated` in the file, `assumed` to be the end of the observed day, or ' +
    'taken from the later import that added the value (`imported`).',
});

export const asOfQuery = {
  as_of: Type.Optional(
    Day('Returns only data known by the end of this day (UTC). Default: everything known now.'),
  ),
};

export const rangeQuery = {
  from: Type.Optional(Day('First day, inclusive.')),
  to: Type.Optional(Day('Last day, inclusive.')),
};
