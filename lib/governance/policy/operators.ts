import { instantOf } from '#lib/core/clock.ts';
import type { Field, FieldType, FieldValue } from './fields.ts';

export const operators = [
  'eq',
  'ne',
  'in',
  'not_in',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'exists',
  'subset_of',
] as const;
export type Operator = (typeof operators)[number];

export type Literal = FieldValue | readonly FieldValue[];

const equality = ['eq', 'ne', 'in', 'not_in', 'exists'] as const;
const ordered = [...equality, 'lt', 'lte', 'gt', 'gte', 'between'] as const;

/** The operators that each type supports. */
export const operatorsOf: Readonly<Record<FieldType, readonly Operator[]>> = {
  money: ordered,
  integer: ordered,
  instant: ordered,
  id: equality,
  text: equality,
  boolean: ['eq', 'ne', 'exists'],
  set: ['subset_of', 'exists'],
};

/** The shape of the literal of each operator: one value, a list, an ordered pair, or a boolean. */
export const literalOf: Readonly<Record<Operator, 'one' | 'many' | 'pair' | 'flag'>> = {
  eq: 'one',
  ne: 'one',
  lt: 'one',
  lte: 'one',
  gt: 'one',
  gte: 'one',
  in: 'many',
  not_in: 'many',
  subset_of: 'many',
  between: 'pair',
  exists: 'flag',
};

/**
 * Returns a test of whether a value meets the operator and the literal. The value must be present and of the
 * field's type.
 */
export function testOf(op: Exclude<Operator, 'exists'>, literal: Literal): (value: FieldValue) => boolean {
  const one = literal as FieldValue;
  switch (op) {
    case 'eq':
      return (value) => value === one;
    case 'ne':
      return (value) => value !== one;
    case 'lt':
      return (value) => value < one;
    case 'lte':
      return (value) => value <= one;
    case 'gt':
      return (value) => value > one;
    case 'gte':
      return (value) => value >= one;
    case 'between': {
      const [min, greatest] = literal as readonly [FieldValue, FieldValue];
      return (value) => value >= min && value <= greatest;
    }
    case 'in': {
      const many = new Set(literal as readonly FieldValue[]);
      return (value) => many.has(value);
    }
    case 'not_in': {
      const many = new Set(literal as readonly FieldValue[]);
      return (value) => !many.has(value);
    }
    case 'subset_of': {
      const many = new Set(literal as readonly string[]);
      return (value) => (value as readonly string[]).every((word) => many.has(word));
    }
  }
}

/**
 * Finds the value nearest to an actual value for which an atom has the wanted outcome. Returns undefined if no value
 * gives that outcome, or if several values of a field without an order do. Example: for `amount_minor lte 500000`,
 * which must hold, and an actual value of 600000, the result is 500000.
 */
export function nearestOf(
  field: Field,
  atom: { op: Operator; value: Literal },
  wanted: boolean,
): (actual: FieldValue) => FieldValue | undefined {
  const fitting = fittingValues(field, atom, wanted);
  if (fitting.length === 0) return () => undefined;
  if (fitting.length === 1) return () => fitting[0];
  return isOrdered(field) ? (actual) => nearest(fitting, actual) : () => undefined;
}

/**
 * Returns the values in the literal of an atom, and their neighbours, for which the atom has the wanted outcome, in
 * ascending order.
 */
function fittingValues(field: Field, { op, value }: { op: Operator; value: Literal }, wanted: boolean) {
  if (op === 'exists' || op === 'subset_of') return [];
  const test = testOf(op, value);
  const near = ([value].flat() as FieldValue[]).flatMap((one) => [
    one,
    step(field, one, -1),
    step(field, one, 1),
  ]);
  const fitting = near.filter((one): one is FieldValue => one !== undefined && test(one) === wanted);
  return [...new Set(fitting)].toSorted((one, other) => (one < other ? -1 : 1));
}

function nearest(values: readonly FieldValue[], actual: FieldValue): FieldValue {
  let best = values[0]!;
  for (const value of values) if (distance(value, actual) < distance(best, actual)) best = value;
  return best;
}

export function isOrdered({ type }: Field): boolean {
  return type === 'money' || type === 'integer' || type === 'instant';
}

/** Returns the neighbour of an ordered value, or undefined if the neighbour is out of the field's range. */
function step(field: Field, value: FieldValue, by: -1 | 1): FieldValue | undefined {
  if (!isOrdered(field)) return undefined;
  if (field.type === 'instant') return instantBeside(value as string, by);
  const next = (value as number) + by;
  return next < field.min! || next > field.max! ? undefined : next;
}

function instantBeside(text: string, by: number): string | undefined {
  const next = instantOf(instantOf(text).getTime() + by).toISOString();
  return next.length === text.length ? next : undefined;
}

function distance(one: FieldValue, other: FieldValue): number {
  return typeof one === 'number' && typeof other === 'number'
    ? Math.abs(one - other)
    : Math.abs(instantOf(one as string).getTime() - instantOf(other as string).getTime());
}
