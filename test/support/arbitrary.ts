import fc from 'fast-check';
import type { TSchema } from 'typebox';

type Schema = {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
};

/**
 * Any text, including invalid Unicode. It replaces the built-in arbitraries of fast-check, because they need half a
 * second to start.
 */
export const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
});

const MANY = 5;

/** Returns an arbitrary of values that a schema accepts. */
export function arbitraryOf(given: TSchema): fc.Arbitrary<unknown> {
  const schema = given as Schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => arbitraryOf(each as TSchema)));
  switch (schema.type) {
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -1_000,
        max: Math.min(schema.maximum ?? 1_000, 2_147_483_647),
      });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.items as TSchema), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MANY, (schema.minItems ?? 0) + MANY),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, each]) => [name, arbitraryOf(each as TSchema)]),
        ),
        { requiredKeys: (schema.required ?? []) as never[] },
      );
    case 'string':
      return textOf(schema);
    default:
      return fc.jsonValue();
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'date') {
    const from = { min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true };
    return fc.date(from).map((date) => date.toISOString().slice(0, 10));
  }
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
}

/** Values that callers may send by mistake or in malice. They do not depend on the schema. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, '', ' ', 0, -1, -0, 1e3, 1e21, 9_007_199_254_740_993, 1.005, 0.1 + 0.2, 100.5],
    ...['NaN', '1', 'null', '2026-02-29', '2026-06-31', '0000-00-00', '10000-01-01', '2026-12-31T24:00:00Z'],
    ...['eur', 'XXX', 'DEM', '\u0415UR', '\u202eevil', 'e\u0301', '\u200b', '__proto__', 'x'.repeat(10_000)],
    ...["'; drop table run; --", '<script>', '../../etc/passwd', '%00', '\\u0000', '${7*7}'],
    ...[[], {}, [[]], { constructor: { prototype: 1 } }],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/**
 * Returns an arbitrary of valid values, of values with one member replaced by junk, removed or added, and of
 * junk.
 */
export function almost(schema: TSchema): fc.Arbitrary<unknown> {
  const right = arbitraryOf(schema);
  const names = Object.keys((schema as Schema).properties ?? {});
  if (names.length === 0) return fc.oneof(right, junk);
  const spoiled = fc
    .tuple(right, fc.constantFrom(...names, 'unknown', '__proto__'), junk)
    .map(([value, name, bad]) => ({ ...(value as object), [name]: bad }));
  const missing = fc.tuple(right, fc.constantFrom(...names)).map(([value, name]) => {
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    return rest;
  });
  return fc.oneof({ weight: 3, arbitrary: right }, { weight: 3, arbitrary: spoiled }, missing, junk);
}
