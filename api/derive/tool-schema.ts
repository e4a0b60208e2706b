import type { TSchema } from 'typebox';
import type { Json } from './wording.ts';

export type { Json };

/** The formats that validators of clients support. */
const KNOWN = new Set(['date', 'date-time', 'email', 'uri']);

/**
 * Converts a schema to a form that any client can read: an object at the root, no examples and no custom
 * formats. The result accepts every value that the schema accepts.
 */
export function portableSchema(schema: TSchema): Json {
  const { type, ...rest } = plain(JSON.parse(JSON.stringify(schema)) as Json);
  return { type: type ?? 'object', ...rest };
}

function plain(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([word, value]) => word !== 'examples' && !(word === 'format' && !KNOWN.has(String(value))))
      .map(([word, value]) => [word, inner(word, value)]),
  );
}

function inner(word: string, value: unknown): unknown {
  if (['properties', 'patternProperties', '$defs'].includes(word)) {
    const members = Object.entries(value as Record<string, Json>);
    return Object.fromEntries(members.map(([name, each]) => [name, plain(each)]));
  }
  if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(word)) return (value as Json[]).map(plain);
  const isSchema = ['items', 'additionalProperties', 'not'].includes(word) && typeof value === 'object';
  return isSchema ? plain(value as Json) : value;
}
