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
 * The name that replaces argument names that the tool does not define. A name that a caller invents could contain
 * anything.
 */
export const UNKNOWN = '(unknown)';

/**
 * Returns the arguments of a call by name and type, without values. Names that the tool does not define are replaced.
 *
 * shapeOf({ as_of: '2020-09-30', limit: 5, 'my secret': 1 }, new Set(['as_of', 'limit'])) is { as_of: 'string', limit:
 * 'integer', '(unknown)': 'unknown_member' }
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
