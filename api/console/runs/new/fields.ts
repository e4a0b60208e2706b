import type { TSchema } from 'typebox';

/** The members of a JSON Schema that a form is generated from. */
type Shape = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly default?: unknown;
};

/** The type of a single value in a field. */
export type ScalarType = 'string' | 'integer' | 'number';

/** How a member of a request is entered. */
type Entering =
  | { readonly kind: 'scalar'; readonly type: ScalarType }
  | { readonly kind: 'truth' }
  | { readonly kind: 'choice'; readonly values: readonly (string | number)[] }
  | { readonly kind: 'choices'; readonly values: readonly (string | number)[] }
  /** Several values, one a line. */
  | { readonly kind: 'lines'; readonly type: ScalarType }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  /** Objects of equal members, one a row. */
  | { readonly kind: 'rows'; readonly fields: readonly Field[] }
  | { readonly kind: 'constant'; readonly value: unknown }
  /** A value whose schema has no simpler field: its JSON text. */
  | { readonly kind: 'json' };

/** A field of the form of a run. Its name in the form is the JSON pointer of its member in the request. */
export type Field = Entering & {
  /** The name of the member in its object. */
  readonly member: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The value that the server uses if the member is omitted; undefined if there is none. */
  readonly preset: unknown;
  readonly schema: TSchema;
};

/** The deepest level of objects that have fields of their own. Deeper objects are entered as JSON. */
const DEPTH_MAX = 2;

/** Returns the fields for the members of an object schema: the required members first, then the others. */
export function fieldsOf(schema: TSchema, depth = 0): Field[] {
  const { properties = {}, required = [] } = schema as Shape;
  const fields = Object.entries(properties).map(([member, part]) =>
    fieldOf(member, part, { isRequired: required.includes(member), depth }),
  );
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

function fieldOf(
  member: string,
  schema: TSchema,
  { isRequired, depth }: { isRequired: boolean; depth: number },
): Field {
  const { description = '', default: preset } = schema as Shape;
  return { member, description, isRequired, preset, schema, ...enteringOf(withoutNull(schema), depth) };
}

function enteringOf(schema: TSchema, depth: number): Entering {
  const shape = schema as Shape;
  if ('const' in shape) return { kind: 'constant', value: shape.const };
  if (isChoice(shape)) return { kind: 'choice', values: shape.enum };
  if (isScalar(shape)) return { kind: 'scalar', type: shape.type };
  if (shape.type === 'boolean') return { kind: 'truth' };
  if (shape.type === 'array' && shape.items) return listOf(shape.items as Shape, depth);
  if (shape.properties && Object.keys(shape.properties).length > 0 && depth < DEPTH_MAX) {
    const fields = fieldsOf(schema, depth + 1);
    if (fields.every(isPlain)) return { kind: 'group', fields };
  }
  return { kind: 'json' };
}

function listOf(items: Shape, depth: number): Entering {
  if (isChoice(items)) return { kind: 'choices', values: items.enum };
  if (isScalar(items)) return { kind: 'lines', type: items.type };
  if (items.properties && depth < DEPTH_MAX) {
    const fields = fieldsOf(items as TSchema, depth + 1);
    if (fields.every(({ kind }) => kind === 'scalar' || kind === 'choice' || kind === 'truth'))
      return { kind: 'rows', fields };
  }
  return { kind: 'json' };
}

/** Whether a field and all fields inside it need no JSON. */
function isPlain(field: Field): boolean {
  if (field.kind === 'group') return field.fields.every(isPlain);
  return field.kind !== 'json' && field.kind !== 'rows';
}

function isChoice(shape: Shape): shape is Shape & { enum: readonly (string | number)[] } {
  return shape.enum?.every((value) => typeof value === 'string' || typeof value === 'number') ?? false;
}

function isScalar(shape: Shape): shape is Shape & { type: ScalarType } {
  return shape.type === 'string' || shape.type === 'integer' || shape.type === 'number';
}

/** Returns the schema of the values other than null, if there is exactly one. */
function withoutNull(schema: TSchema): TSchema {
  const { anyOf } = schema as Shape;
  const others = anyOf?.filter((each) => (each as Shape).type !== 'null');
  return others?.length === 1 ? others[0]! : schema;
}
