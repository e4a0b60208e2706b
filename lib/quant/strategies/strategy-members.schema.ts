import Type, { type TSchema } from 'typebox';
import { EXPRESSION_CHARACTERS_MAX } from '#lib/data/feature-expression/token.ts';

/** The largest number of symbols of a universe. */
export const SYMBOLS_MAX = 2_000;

const SYMBOL_PATTERN = '^[A-Za-z0-9^][A-Za-z0-9.:_/^=-]{0,31}$';

export const StrategySymbol = Type.String({
  pattern: SYMBOL_PATTERN,
  description: 'Symbol of an instrument.',
  examples: ['AAPL'],
});

/** Returns the schema of values by symbol. */
export function bySymbol<T extends TSchema>(value: T, description: string) {
  return Type.Record(Type.String({ pattern: SYMBOL_PATTERN }), value, {
    maxProperties: SYMBOLS_MAX,
    default: {},
    description,
  });
}

export const SignalName = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,39}$',
  description: 'Name of a signal.',
  examples: ['momentum'],
});

/** Returns the schema of an expression or a condition. */
export function Formula(description: string, example: string) {
  return Type.String({
    minLength: 1,
    maxLength: EXPRESSION_CHARACTERS_MAX,
    description,
    examples: [example],
  });
}

/** Returns a schema that accepts null, which is the default. */
export function OrNull<T extends TSchema>(schema: T, description: string) {
  return Type.Union([schema, Type.Null()], { default: null, description });
}

/** Returns the schema of a number with a default. */
export function Quantity(
  description: string,
  { minimum, maximum, value }: { minimum: number; maximum: number; value: number },
) {
  return Type.Number({ minimum, maximum, default: value, description, examples: [value] });
}

/** Returns the schema of a whole number with a default. */
export function Count(
  description: string,
  { minimum, maximum, value }: { minimum: number; maximum: number; value: number },
) {
  return Type.Integer({ minimum, maximum, default: value, description, examples: [value] });
}

/** Returns the schema of a word of a list. The first word is the default. */
export function Choice<const Words extends readonly [string, ...string[]]>(
  words: Words,
  description: string,
) {
  const [first] = words;
  const choice = Type.Enum([...words], { default: first, description, examples: [first] });
  return Type.Unsafe<Words[number]>(choice);
}
