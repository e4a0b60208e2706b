import { isObject } from '#lib/core/is-object.ts';
import { aggregates, dimensions, forms, orders, queryOps } from './query.ts';

const TEXTS = ['measure', 'as_of', 'unit', 'what'] as const;
/** The values of the members that have a closed list of values. */
const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  agg: aggregates,
  as: forms,
  by: dimensions,
  order: orders,
};
const CHARACTERS_MAX = 120;

/**
 * Whether a value has the members of a semantic query, each with a value of the right type. This check ignores unknown
 * members; other checks handle them.
 */
export function isShaped(query: unknown): boolean {
  if (!isObject(query) || !(queryOps as readonly unknown[]).includes(query.op)) return false;
  return (
    TEXTS.every((name) => query[name] === undefined || isText(query[name])) &&
    Object.entries(WORDS).every(
      ([name, words]) => query[name] === undefined || words.includes(query[name]),
    ) &&
    isList(query.of, (each) => isObject(each) && isText(each.type) && isText(each.key)) &&
    isList(
      query.where,
      (each) => isObject(each) && isText(each.field) && isText(each.op) && isValue(each.value),
    ) &&
    (query.period === undefined || isPeriod(query.period)) &&
    (query.baseline === undefined || isBaseline(query.baseline)) &&
    (query.run === undefined || isRun(query.run))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= CHARACTERS_MAX;
}

function isList(value: unknown, holds: (each: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.length <= 50 && value.every(holds));
}

function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= 2 && value.every(isText);
  if (isObject(value)) return isText(value.factor) && isText(value.unit) && typeof value.value === 'number';
  return isText(value) || typeof value === 'number';
}

function isPeriod(value: unknown): boolean {
  return (
    isObject(value) &&
    ['at', 'from', 'to'].every((name) => value[name] === undefined || isText(value[name])) &&
    (value.last === undefined || typeof value.last === 'number')
  );
}

function isBaseline(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.period === undefined || isPeriod(value.period)) &&
    (value.measure === undefined || isText(value.measure))
  );
}

function isRun(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value.kind) &&
    ['as_of_date', 'select'].every((name) => value[name] === undefined || isText(value[name]))
  );
}
