import type { ErrorObject } from 'ajv';
import type { Fault } from '#lib/core/problem.ts';

/** The maximum number of faults in an answer. */
export const FAULTS_MAX = 50;

/**
 * Converts a validator's errors into faults: each fault has a pointer to the faulty member, the violated
 * rule, and a sentence.
 */
export function faultsOf(errors: readonly ErrorObject[], part: Fault['in']): Fault[] {
  return eachOnce(errors)
    .filter((error) => error.keyword !== 'if')
    .slice(0, FAULTS_MAX)
    .map((error) => {
      const { unevaluatedProperty, additionalProperty, missingProperty } = error.params as Record<
        string,
        string
      >;
      const member = additionalProperty ?? unevaluatedProperty ?? missingProperty;
      const unknown = additionalProperty ?? unevaluatedProperty;
      return {
        pointer: error.instancePath + (member === undefined ? '' : `/${escapePointer(member)}`),
        in: part,
        code: unknown === undefined ? snakeCase(error.keyword) : 'unknown_field',
        message: unknown === undefined ? sentence(error) : 'is not a known member',
      };
    });
}

/**
 * Reduces the errors of a value that matches no branch of an `anyOf`. Keeps the errors in the branch for the
 * type of the value. If no branch has this type, keeps one error about the type.
 */
function eachOnce(errors: readonly ErrorObject[]): ErrorObject[] {
  let left = [...errors];
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const inBranches = left.filter(({ schemaPath }) => schemaPath.startsWith(`${choice.schemaPath}/`));
    const meant = inBranches.filter(({ keyword }) => keyword !== 'type');
    const types = inBranches.map(({ params }) => (params as { type?: string }).type).filter(Boolean);
    const one = { ...choice, keyword: 'type', message: `must be ${types.join(' or ')}` };
    left = left.filter((error) => error !== choice && !inBranches.includes(error));
    left.push(...(meant.length ? meant : [one]));
  }
  return left;
}

function sentence(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required';
  const allowed = (error.params as { allowedValues?: unknown[] }).allowedValues;
  return allowed ? `must be one of ${allowed.join(', ')}` : (error.message ?? 'is not valid');
}

/** Escapes a member name for a JSON pointer. */
export function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1');
}

function snakeCase(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
