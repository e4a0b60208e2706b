import type { TSchema } from 'typebox';
import { exampleOf } from '#api/derive/example.ts';

/** The maximum size of a body in bytes. */
const BYTES_MAX = 1024 * 1024;
/** The size of the enlarged part of a body. The rest of the maximum size is for the other members. */
const BYTES = BYTES_MAX - 8_192;

type Schema = {
  type?: string;
  anyOf?: Schema[];
  items?: Schema;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
  maxProperties?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
};

type Writing = {
  /** Returns the text of a number that the schema accepts. */
  number(schema: Schema, index: number): string;
  /** Whether texts have their maximum length. */
  hasLongTexts: boolean;
};

const short: Writing = {
  number: ({ minimum = 0, maximum = 9 }, index) =>
    String(Math.min(maximum, Math.max(Math.ceil(minimum), index % 10))),
  hasLongTexts: false,
};

const long: Writing = {
  number: (schema, index) => {
    const whole = short.number(schema, index);
    return schema.type === 'integer' ? whole : `${whole}.${'0'.repeat(300)}1e-0`;
  },
  hasLongTexts: true,
};

/**
 * Yields, for the schema of an operation, the bodies that are the most expensive to read, to check, to hash and to
 * reject.
 */
export function* heavyBodies(schema: TSchema): Generator<[about: string, text: string]> {
  const example = JSON.stringify(exampleOf(schema));
  const beside = (member: string) => `{"surplus":${member},${example.slice(1)}`;
  yield ['many short values', grown(schema as Schema, BYTES, short, 0)];
  yield ['long texts and numbers', grown(schema as Schema, BYTES, long, 0)];
  yield ['a fault in each element', grown(spoiled(schema as Schema), BYTES, short, 0)];
  yield ['an object in each element', grown(ofObjects(schema as Schema), BYTES, short, 0)];
  yield ['an unknown array of numbers', beside(`[${repeated('0', 390_000)}]`)];
  yield ['an unknown array of objects', beside(`[${repeated('{}', 119_000)}]`)];
  yield [
    'objects of 1,000 members',
    beside(`[${repeated(`{${repeated((at) => `"${at}":0`, 1_000)}}`, 100)}]`),
  ];
  yield ['deep arrays', beside(`[${repeated('['.repeat(30) + ']'.repeat(30), 3_900)}]`)];
  yield ['too deep', '[{"a":'.repeat(BYTES / 6)];
  yield ['one long text', beside(`"${'a\\"'.repeat(BYTES / 3 - example.length)}"`)];
  yield ['escapes', beside(`["${'\\u00e9'.repeat(BYTES / 6 - example.length)}"]`)];
  yield ['huge exponents', beside(`[${repeated('1e-99999', BYTES / 9 - example.length)}]`)];
  yield ['one long number', beside(`0.${'1'.repeat(BYTES - example.length)}`)];
}

/** Yields valid bodies of the maximum size that their operation accepts. */
export function* acceptedBodies(): Generator<[operation: string, about: string, text: string]> {
  const value = (at: number) => 100 + Math.sin(at);
  const rows = Array.from({ length: 20_000 }, (_, at) => [value(at), value(at + 0.5)]);
  yield ['ml.anomaly.create', '40,000 cells', JSON.stringify({ rows })];
  const items = Array.from({ length: 5_000 }, (_, at) => ({
    metric: 'economics.GDPC1',
    horizon: 1 + (at % 12),
  }));
  yield ['planning.forecasts.batches.create', '5,000 items', JSON.stringify({ items })];
  const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  yield ['agents.mcp.call', 'the list of tools', rpc('tools/list', {})];
  const many = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [`member_${at}`, Array.from({ length: 100 }, () => at)]),
  );
  const large = { name: 'workspace_get', arguments: many };
  yield ['agents.mcp.call', 'large arguments of a tool', rpc('tools/call', large)];
}

function repeated(text: string | ((at: number) => string), count: number): string {
  return Array.from({ length: count }, (_, at) => (typeof text === 'string' ? text : text(at))).join(',');
}

/** Returns a text with the maximum length that `bytes` and the schema allow. */
function grown(schema: Schema, bytes: number, writing: Writing, index: number): string {
  if (schema.const !== undefined || schema.enum) return JSON.stringify(schema.const ?? schema.enum![0]);
  if (schema.anyOf) return grown(widest(schema.anyOf), bytes, writing, index);
  if (schema.properties) return grownObject(schema.properties, bytes, writing, index);
  if (schema.items) {
    const { items, maxItems = Infinity } = schema;
    const element = grown(items, 0, short, index);
    const max = Math.min(maxItems, Math.floor(bytes / (element.length + 1)));
    const each = max < maxItems ? 0 : bytes / maxItems;
    const texts: string[] = [];
    let left = bytes;
    for (let at = 0; at < Math.max(1, max); at += 1) {
      const text = grown(items, each, writing, at);
      left -= text.length + 1;
      if (left < 0 && at > 0) break;
      texts.push(text);
    }
    return `[${texts.join(',')}]`;
  }
  if (schema.type === 'number' || schema.type === 'integer') return writing.number(schema, index);
  if (schema.type === 'string') return grownText(schema, bytes, writing, index);
  return JSON.stringify(exampleOf(schema as TSchema));
}

function grownObject(
  properties: Record<string, Schema>,
  bytes: number,
  writing: Writing,
  index: number,
): string {
  const min = Object.entries(properties).map(
    ([name, member]) => `${JSON.stringify(name)}:${grown(member, 0, short, index)}`,
  );
  const left = Math.max(0, bytes - min.join().length);
  const growing = Object.entries(properties).filter(([, member]) => grows(member, writing));
  const members = Object.entries(properties).map(([name, member]) => {
    const share = grows(member, writing) ? left / growing.length : 0;
    return `${JSON.stringify(name)}:${grown(member, share, writing, index)}`;
  });
  return `{${members.join(',')}}`;
}

function grows(schema: Schema, writing: Writing): boolean {
  if (schema.anyOf) return schema.anyOf.some((each) => grows(each, writing));
  if (schema.properties) return Object.values(schema.properties).some((each) => grows(each, writing));
  return (
    schema.items !== undefined ||
    (writing.hasLongTexts && schema.type === 'string' && !schema.pattern && !schema.format)
  );
}

function grownText(
  { pattern, format, maxLength = 0, ...schema }: Schema,
  bytes: number,
  writing: Writing,
  index: number,
) {
  const given = exampleOf({ ...schema, pattern, format } as TSchema);
  if (format === 'date') {
    return JSON.stringify(new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10));
  }
  if (pattern !== undefined || format !== undefined) return JSON.stringify(given);
  const max = writing.hasLongTexts ? Math.min(maxLength, Math.max(1, bytes - 2)) : 1;
  return JSON.stringify(String(index).slice(0, maxLength).padEnd(max, 'x'));
}

/** Returns the largest branch: the object or array schema with the longest JSON text. */
function widest(branches: readonly Schema[]): Schema {
  const size = (schema: Schema) => (schema.items || schema.properties ? JSON.stringify(schema).length : 0);
  return branches.reduce((max, each) => (size(each) > size(max) ? each : max));
}

/** Returns the schema with the elements of each array replaced by another type. */
function spoiled(schema: Schema): Schema {
  return replacedItems(schema, { const: 'x' });
}

function ofObjects(schema: Schema): Schema {
  return replacedItems(schema, { const: { a: 0 } });
}

function replacedItems(schema: Schema, by: Schema): Schema {
  return {
    ...schema,
    ...(schema.anyOf ? { anyOf: [replacedItems(widest(schema.anyOf), by)] } : {}),
    ...(schema.items ? { items: by } : {}),
    ...(schema.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, each]) => [name, replacedItems(each, by)]),
          ),
        }
      : {}),
  };
}
