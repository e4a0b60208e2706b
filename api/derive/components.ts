import type { TSchema } from 'typebox';
import { exampleOf } from './example.ts';
import { discriminated, nullable, withType, withValues, type Json } from './wording.ts';

export type { Json };

type Kind = 'schemas' | 'examples' | 'headers' | 'responses';

export type Components = ReturnType<typeof createComponents>;

/**
 * Collects the shared parts to which the OpenAPI document refers. A schema with a title
 * becomes a shared part and is stored under that title.
 */
export function createComponents() {
  const parts: Record<Kind, Record<string, unknown>> = {
    schemas: {},
    examples: {},
    headers: {},
    responses: {},
  };

  /** Stores a part under a name and returns a reference to it. A name always means the same part. */
  function refer(kind: Kind, name: string, part: unknown): { $ref: string } {
    const known = parts[kind][name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part)) {
      throw new Error(`two ${kind} are named ${name}`);
    }
    parts[kind][name] = part;
    return { $ref: `#/components/${kind}/${name}` };
  }

  /** Converts a schema to the form used in the document. The converted schema accepts the same values. */
  function describe(schema: TSchema): Json {
    return worded(JSON.parse(JSON.stringify(schema)) as Json);
  }

  function worded(schema: Json): Json {
    const plain = withType(withValues(nullable(schema)));
    const branches = plain['anyOf'] as Json[] | undefined;
    const inner = withEach(plain, worded);
    const said = branches ? discriminated(inner, branches) : inner;
    if (said['title'] === undefined) return said;
    const { examples: _, ...titled } = said;
    return refer('schemas', said['title'] as string, titled);
  }

  /** Returns a JSON body for the document: its schema and an example. */
  function media(schema: TSchema): Json {
    const described = describe(schema);
    const value = exampleOf(schema);
    const { title } = schema as { title?: string };
    return title === undefined
      ? { schema: described, example: value }
      : { schema: described, examples: { [title]: refer('examples', title, { value }) } };
  }

  return { refer, describe, media, parts };
}

/** Returns the schema with each of its direct inner schemas replaced by the result of a function. */
function withEach(schema: Json, replace: (inner: Json) => Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties') return [keyword, mapped(value as Record<string, Json>, replace)];
      if (keyword === 'anyOf') return [keyword, (value as Json[]).map(replace)];
      const isSchema = keyword === 'items' || (keyword === 'additionalProperties' && value !== false);
      return [keyword, isSchema ? replace(value as Json) : value];
    }),
  );
}

function mapped(schemas: Record<string, Json>, replace: (inner: Json) => Json): Record<string, Json> {
  return Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, replace(each)]));
}
