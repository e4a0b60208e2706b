export const shapeTypes = [
  'string',
  'integer',
  'number',
  'boolean',
  'null',
  'array',
  'object',
  'unknown_member',
] as const;

export type ShapeType = (typeof shapeTypes)[number];
export type ArgumentsShape = Readonly<Record<string, ShapeType>>;

/**
 * The name that replaces argument names that the tool does not define. Such names are not recorded, because a
 * caller can put any content into them.
 */
export const UNKNOWN = '(unknown)';

/**
 * Returns the type of each argument of a call, by name and without values. Names that the tool does not
 * define are replaced by `(unknown)`.
 *
 * Example: for `{ as_of: '2020-09-30', 'my secret': 1 }` and the known name `as_of`, the result is
 * `{ as_of: 'string', '(unknown)': 'unknown_member' }`.
 */
export function shapeOf(given: unknown, known: ReadonlySet<string>): ArgumentsShape {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return {};
  const entries = Object.entries(given).map(([name, value]): [string, ShapeType] =>
    known.has(name) ? [name, typeOf(value)] : [UNKNOWN, 'unknown_member'],
  );
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function typeOf(value: unknown): ShapeType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'string' | 'boolean' | 'object';
}
