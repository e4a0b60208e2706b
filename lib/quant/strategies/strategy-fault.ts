import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Fault } from '#lib/core/problem.ts';

/** A fault of a strategy. `pointer` is a JSON pointer into the strategy. */
export type StrategyFault = { pointer: string; code: string; message: string };

const FAULTS_MAX = 50;

/**
 * Returns the faults of a strategy as faults of a request. `at` is the member with the strategy, and `parametersAt` the
 * member with the values that replace its parameters.
 */
export function faultsUnder(
  at: string,
  faults: readonly StrategyFault[],
  parametersAt = '/parameters',
): Fault[] {
  return faults.slice(0, FAULTS_MAX).map(({ pointer, ...fault }) => ({
    pointer:
      fault.code === 'unknown_parameter'
        ? pointer.replace(/^\/parameters/, () => parametersAt)
        : `${at}${pointer}`,
    in: 'body',
    ...fault,
  }));
}

/** Escapes the name of a member for a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the faults that a validator found, one for each member. */
export function schemaFaults({ errors }: ValidateFunction): StrategyFault[] {
  const byPointer = new Map<string, StrategyFault>();
  for (const { instancePath, keyword, message, params } of errors ?? []) {
    const isChoice =
      keyword === 'anyOf' || (keyword === 'type' && (params as { type: unknown }).type === 'null');
    if (isChoice) continue;
    const { additionalProperty, missingProperty } = params as Record<string, string | undefined>;
    const member = additionalProperty ?? missingProperty;
    const pointer = instancePath + (member === undefined ? '' : `/${escapePointer(member)}`);
    if (byPointer.has(pointer)) continue;
    byPointer.set(
      pointer,
      additionalProperty === undefined
        ? { pointer, code: codeOf(keyword), message: message ?? 'is not valid' }
        : { pointer, code: 'unknown_field', message: 'is not a known member' },
    );
  }
  return [...byPointer.values()];
}

/** Converts a keyword to the form of codes: `additionalProperties` is `additional_properties`. */
function codeOf(keyword: string): string {
  return keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
