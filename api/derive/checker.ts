import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { createAjv, type AjvOptions } from '#lib/core/ajv.ts';
import type { Fault } from '#lib/core/problem.ts';
import { escapePointer, faultsOf, FAULTS_MAX } from './faults.ts';

/** The maximum number of elements and members that are searched for further faults after the first fault. */
const PARTS_MAX = 500;

/** Returns the faults of a value; an empty list if the value is valid. Fills in missing defaults. */
export type Check = (value: unknown) => Fault[];

/**
 * Compiles schemas into checks of bodies and arguments. A first validation stops at the first fault. If there
 * is a fault, up to 50 faults are collected from the first 500 elements and members of the value. A body with
 * a hundred thousand faults therefore takes no more time than a body with a few faults.
 */
export function createChecker(options: Pick<AjvOptions, 'useDefaults'>) {
  const first = createAjv({ ...options, allErrors: false });
  const every = createAjv(options);
  return (schema: TSchema, part: Fault['in']): Check => {
    const valid = first.compile(schema);
    let collect: ValidateFunction | undefined;
    return (value) => {
      if (valid(value)) return [];
      const found = faultsOf(valid.errors!, part);
      collect ??= every.compile(schema);
      const { start, cut } = startOf(value);
      const further = collect(start)
        ? []
        : faultsOf(
            collect.errors!.filter((error) => !isOfCut(error, cut)),
            part,
          );
      // The first validation can stop inside a choice (`anyOf`), so its fault can be incomplete. This fault is used
      // only if `start` is shortened or has no fault.
      if (cut.length === 0 && further.length > 0) return further;
      const known = new Set(further.map(keyOf));
      return [...further, ...found.filter((fault) => !known.has(keyOf(fault)))].slice(-FAULTS_MAX);
    };
  };
}

const checkBodies = createChecker({ useDefaults: true });
const compiled = new WeakMap<TSchema, Check>();

/** Returns the check of a request body. The check is compiled once for each schema. */
export function bodyCheck(schema: TSchema): Check {
  const known = compiled.get(schema) ?? checkBodies(schema, 'body');
  compiled.set(schema, known);
  return known;
}

/** Copies a value's first elements and members. `cut` holds the pointers of the shortened arrays and objects. */
function startOf(value: unknown): { start: unknown; cut: string[] } {
  const cut: string[] = [];
  let left = PARTS_MAX;
  const copy = (each: unknown, pointer: string): unknown => {
    if (typeof each !== 'object' || each === null) return each;
    const elements = Array.isArray(each) ? each.slice(0, left + 1).entries() : undefined;
    const kept: [string, unknown][] = [];
    for (const [name, part] of elements ?? Object.entries(each)) {
      if (left <= 0) {
        cut.push(pointer);
        break;
      }
      left -= 1;
      kept.push([String(name), copy(part, `${pointer}/${escapePointer(String(name))}`)]);
    }
    return elements ? kept.map(([, element]) => element) : Object.fromEntries(kept);
  };
  return { start: copy(value, ''), cut };
}

/**
 * Whether the shortening may have caused an error. Shortening can cause any error in a shortened value, or in a value
 * that contains one, except the error for an unknown member.
 */
function isOfCut({ keyword, instancePath }: ErrorObject, cut: readonly string[]): boolean {
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return false;
  return cut.some((pointer) => pointer === instancePath || pointer.startsWith(`${instancePath}/`));
}

function keyOf({ pointer, code, message }: Fault): string {
  return JSON.stringify([pointer, code, message]);
}
