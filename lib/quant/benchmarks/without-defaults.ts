import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** Keywords whose value is an object with property names as keys, instead of keywords. */
const MAPS = new Set(['properties', 'patternProperties']);

/**
 * Returns a schema without its defaults. A validator cannot fill in defaults within a union of schemas, and refuses a
 * union that contains defaults. A changed schema has no title, because a title names one schema.
 */
export function withoutDefaults<T>(schema: T): T {
  return stripped(JSON.parse(JSON.stringify(schema))) as T;
}

function stripped(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(stripped);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { default: _, ...rest } = schema as Json;
  const plain: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      MAPS.has(key) ? byName(value as Json) : stripped(value),
    ]),
  );
  if (!isDeepStrictEqual(plain, schema)) delete plain['title'];
  return plain;
}

function byName(members: Json): Json {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, stripped(member)]));
}
