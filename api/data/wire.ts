import Type from 'typebox';
import { IsoDate } from '#lib/core/schema.ts';

/** A number as it was imported, digit by digit. */
export function Decimal(description: string, example: string) {
  return Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', description, examples: [example] });
}

export function Day(description: string) {
  return Type.String({ ...IsoDate, description });
}

export const KnownAtBasis = Type.Enum(['stated', 'assumed', 'imported'], {
  description:
    'How it is known when it was known: the file said so (`stated`), the end of the day it is about was taken ' +
    '(`assumed`), or it came with a later import (`imported`).',
});

export const asOfQuery = {
  as_of: Type.Optional(
    Day('Only what was known by the end of this day (UTC). Without it, all that is known now.'),
  ),
};

export const rangeQuery = {
  from: Type.Optional(Day('The first day, inclusive.')),
  to: Type.Optional(Day('The last day, inclusive.')),
};
