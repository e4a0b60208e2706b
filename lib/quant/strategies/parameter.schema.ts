import Type, { type Static, type TSchema } from 'typebox';
import { Closed } from '#lib/core/schema.ts';

/** The name of a parameter. */
export const PARAMETER_PATTERN = '^[a-z][a-z0-9_]{0,39}$';

export const ParameterReference = Closed(
  {
    $: Type.String({
      pattern: PARAMETER_PATTERN,
      description: 'Name of a parameter of the strategy.',
      examples: ['lookback'],
    }),
  },
  { title: 'StrategyParameter', description: 'The value of a parameter of the strategy.' },
);
export type ParameterReference = Static<typeof ParameterReference>;

/** The value of a parameter: a number or a word. */
export const ParameterValue = Type.Union(
  [
    Type.Number({ minimum: -1e15, maximum: 1e15, description: 'A number.', examples: [126] }),
    Type.String({ minLength: 1, maxLength: 100, description: 'A word.', examples: ['equal'] }),
  ],
  { description: 'A number or a word.' },
);
export type ParameterValue = Static<typeof ParameterValue>;

/**
 * The type of a strategy as written by a caller: members with a default may be omitted, and a parameter may
 * replace each number and word.
 */
export type Written<Resolved> = Resolved extends readonly (infer Item)[]
  ? Written<Item>[]
  : Resolved extends object
    ? { [Member in keyof Resolved]?: Written<Resolved[Member]> }
    : Resolved extends number | string
      ? Resolved | ParameterReference
      : Resolved;

type Json = Readonly<Record<string, unknown>>;

/**
 * Derives the schema of a strategy as written by a caller from the schema of a resolved strategy: members
 * with a default are optional, and a parameter may replace each number and word.
 */
export function writtenSchema<T extends TSchema>(
  resolved: T,
  options: Json,
): Type.TUnsafe<Written<Static<T>>> {
  return Type.Unsafe<Written<Static<T>>>({
    ...(writtenForm(resolved as unknown as Json) as Json),
    ...options,
  });
}

function writtenForm(schema: Json): unknown {
  if (schema['const'] !== undefined) return schema;
  if (schema['properties'] !== undefined) {
    const properties = schema['properties'] as Readonly<Record<string, Json>>;
    const required = (schema['required'] as string[] | undefined) ?? [];
    return {
      ...schema,
      required: required.filter((name) => !('default' in properties[name]!)),
      properties: mapped(properties),
    };
  }
  if (schema['patternProperties'] !== undefined) {
    return { ...schema, patternProperties: mapped(schema['patternProperties'] as Record<string, Json>) };
  }
  if (schema['items'] !== undefined) return { ...schema, items: writtenForm(schema['items'] as Json) };
  if (schema['anyOf'] !== undefined) return withReference(schema, schema['anyOf'] as Json[]);
  if (schema['type'] === 'null' || schema['type'] === 'boolean') return schema;
  const { description, examples, default: value, ...leaf } = schema;
  const said = {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
  };
  const choices = { anyOf: [{ ...leaf, ...said }, ParameterReference], ...said };
  return value === undefined ? choices : { ...choices, default: value };
}

function mapped(members: Readonly<Record<string, Json>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, writtenForm(member)]));
}

/** Adds a parameter reference once to a union of scalar types. Other unions stay unchanged. */
function withReference(schema: Json, choices: readonly Json[]): Json {
  const isLeaf = choices.every(({ type, enum: words }) => words !== undefined || type !== 'object');
  return isLeaf ? { ...schema, anyOf: [...choices, ParameterReference] } : schema;
}

/**
 * Returns a schema without the defaults of objects, because a resolved strategy always contains these objects in full.
 */
export function completeForm(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return schema;
  const { default: _, ...complete } = schema as Json;
  const properties = Object.entries(complete['properties'] as Json);
  return {
    ...complete,
    properties: Object.fromEntries(properties.map(([name, member]) => [name, completeForm(member)])),
  };
}
