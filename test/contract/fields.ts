import type { TSchema } from 'typebox';
import { exampleOf } from '#api/derive/example.ts';

/** JSON Schema as sent on the wire. */
type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  examples?: unknown[];
  default?: unknown;
} & Partial<Record<'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems', number>>;

/** A request body with one fault, the kind of the fault, and the JSON pointer to the faulty member. */
export type Faulty = { about: string; pointer: string; body: unknown };

/**
 * Returns bodies for a schema, each with one fault: a member, at any depth, has a wrong type, exceeds a bound, or is
 * missing.
 */
export function faultyBodies(schema: TSchema): Faulty[] {
  const whole = exampleOf(schema);
  return membersOf(schema as Schema, '', whole).flatMap(({ pointer, member, isRequired }) => [
    ...wrongValues(member).map(([about, value]) => ({
      about,
      pointer,
      body: replaced(whole, pointer, value),
    })),
    ...(isRequired ? [{ about: 'missing', pointer, body: replaced(whole, pointer, undefined) }] : []),
  ]);
}

/**
 * Returns request bodies. Each body has one undeclared member in one of its objects. There is one body for each object,
 * at any depth, and each tested name of a member.
 */
export function overfullBodies(schema: TSchema): Faulty[] {
  const whole = exampleOf(schema);
  const objects = [
    '',
    ...membersOf(schema as Schema, '', whole)
      .filter(({ member, pointer }) => member.properties && isHeld(whole, pointer))
      .map(({ pointer }) => pointer),
  ];
  return objects.flatMap((at) =>
    ['surplus', '__proto__', 'constructor', 'a/b~c'].map((name) => {
      const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return { about: name, pointer, body: replaced(whole, pointer, 1) };
    }),
  );
}

/** Whether the example has a member at the pointer. An example may leave members out. */
function isHeld(whole: unknown, pointer: string): boolean {
  let node = whole;
  for (const step of pointer.split('/').slice(1))
    node = (node as Record<string, unknown> | undefined)?.[step];
  return node !== undefined;
}

/** Returns texts that a query parameter of this schema rejects. */
export function wrongTexts(schema: TSchema): [about: string, text: string][] {
  const { type } = schema as Schema;
  const notOfType: Record<string, string[]> = {
    integer: ['many', '1.5', 'true', 'null', ''],
    number: ['many', 'true', ''],
    boolean: ['maybe', '2'],
    string: ['\0', 'a\0b'],
  };
  const ofType = (notOfType[type ?? ''] ?? []).map((text): [string, string] => [
    type === 'string' ? 'a NUL character' : `no ${type}`,
    text,
  ]);
  const beyond = beyondBounds(schema as Schema).map(([about, value]): [string, string] => [
    about,
    String(value),
  ]);
  return [...ofType, ...beyond];
}

function membersOf(
  schema: Schema,
  at: string,
  value: unknown,
): { pointer: string; member: Schema; isRequired: boolean }[] {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    pointer: `${at}/${name}`,
    member,
    isRequired: schema.required?.includes(name) ?? false,
    inner: (value as Record<string, unknown>)[name],
  }));
  const items =
    Array.isArray(value) && value.length && schema.items
      ? [{ pointer: `${at}/0`, member: schema.items, isRequired: false, inner: value[0] as unknown }]
      : [];
  return [...members, ...items].flatMap(({ inner, ...each }) => [
    each,
    // If the example leaves out a member, the members inside that member are not listed.
    ...(inner === undefined ? [] : membersOf(each.member, each.pointer, inner)),
  ]);
}

function wrongValues(schema: Schema): [about: string, value: unknown][] {
  const samples: [kind: string, value: unknown][] = [
    ['null', null],
    ['boolean', true],
    ['string', '12'],
    ['integer', 12],
    ['number', 12.5],
    ['array', []],
    ['object', {}],
  ];
  const accepted = kindsOf(schema);
  return [...samples.filter(([kind]) => !accepted.has(kind)), ...beyondBounds(schema)];
}

/** Returns the kinds of JSON value that a schema accepts; an integer is also a number. */
function kindsOf({ type, anyOf, enum: allowed, const: only }: Schema): Set<string> {
  if (anyOf) return new Set(anyOf.flatMap((each) => [...kindsOf(each)]));
  if (type === 'number') return new Set(['number', 'integer']);
  if (type !== undefined) return new Set([type]);
  const values = allowed ?? (only === undefined ? [] : [only]);
  return new Set(values.map((value) => (value === null ? 'null' : typeof value)));
}

function beyondBounds(schema: Schema): [about: string, value: unknown][] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, pattern, type } = schema;
  const step = (bound: number) => (type === 'integer' ? 1 : Math.max(Math.abs(bound) / 1_000, 1e-9));
  const item = schema.items ? exampleOf(schema.items as TSchema) : null;
  const cases: [string, unknown, number | string | undefined][] = [
    ['below the minimum', minimum! - step(minimum!), minimum],
    ['above the maximum', maximum! + step(maximum!), maximum],
    ['too short', 'a'.repeat(Math.max(0, (minLength ?? 0) - 1)), minLength || undefined],
    ['too long', 'a'.repeat((maxLength ?? 0) + 1), maxLength],
    ['too few', Array.from({ length: (minItems || 1) - 1 }, () => item), minItems || undefined],
    ['too many', Array.from({ length: (maxItems ?? 0) + 1 }, () => item), maxItems],
    ['an invalid day', '2020-02-30', format === 'date' ? format : undefined],
    ['a day of the year 0', '0000-01-01', format === 'date' ? format : undefined],
    ['a date in another format', '30.09.2020', format === 'date' ? format : undefined],
    ['an instant', '2020-09-30T00:00:00Z', format === 'date' ? format : undefined],
    ['not matching the pattern', '\u0001', pattern],
    ['not in the enumeration', 'none of these', schema.enum ? 'enum' : undefined],
  ];
  return cases.filter(([, , rule]) => rule !== undefined).map(([about, value]) => [about, value]);
}

/** Returns a copy with the member at the pointer set, or removed if the value is undefined. */
function replaced(whole: unknown, pointer: string, value: unknown): unknown {
  const copy = structuredClone(whole);
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop()!;
  const holder = steps.reduce((node, step) => (node as Record<string, unknown>)[step], copy) as Record<
    string,
    unknown
  >;
  if (value === undefined) delete holder[last];
  else Object.defineProperty(holder, last, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
