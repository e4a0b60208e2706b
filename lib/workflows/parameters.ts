import { isDate } from '#lib/core/date.ts';
import type { WorkflowDefinition } from './definition.schema.ts';

export type ParameterValue = string | number | boolean | null;
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

export type ParameterFault = { name: string; message: string };

/** The longest text of a parameter, in characters. */
export const PARAMETER_TEXT_MAX = 500;

/**
 * Checks the parameters of a run. An optional parameter that is not given becomes null. Returns every fault, by name of
 * the parameter.
 */
export function checkParameters(
  { parameters }: Pick<WorkflowDefinition, 'parameters'>,
  given: Readonly<Record<string, unknown>>,
): { ok: true; values: ParameterValues } | { ok: false; faults: ParameterFault[] } {
  const known = new Set(parameters.map(({ name }) => name));
  const faults = Object.keys(given)
    .filter((name) => !known.has(name))
    .map((name) => ({ name, message: 'is not a parameter' }));
  const values: Record<string, ParameterValue> = {};
  for (const parameter of parameters) {
    const { name, required } = parameter;
    const value = (Object.hasOwn(given, name) ? given[name] : null) ?? null;
    const message = value === null ? (required ? 'is required' : undefined) : faultOf(parameter, value);
    if (message) faults.push({ name, message });
    values[name] = value as ParameterValue;
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, values };
}

/**
 * Returns the parameters of a run, completed by the parameters of the installation from which the run's version was
 * proposed. A value that is given for the run takes precedence; null counts as not given.
 */
export function withInstalled(
  installed: ParameterValues,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own = Object.entries(given).filter(
    ([name, value]) => value !== null || !Object.hasOwn(installed, name),
  );
  return { ...installed, ...Object.fromEntries(own) };
}

type Parameter = WorkflowDefinition['parameters'][number];

function faultOf({ type, minimum, maximum }: Parameter, value: unknown): string | undefined {
  switch (type) {
    case 'text':
      return typeof value === 'string' && value !== '' && value.length <= PARAMETER_TEXT_MAX
        ? undefined
        : `takes 1 to ${PARAMETER_TEXT_MAX} characters`;
    case 'date':
      return typeof value === 'string' && isDate(value) ? undefined : 'takes a date such as 2020-09-30';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'takes true or false';
    case 'integer':
    case 'number': {
      const isOf = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
      if (!isOf) return `takes ${type === 'integer' ? 'an integer' : 'a number'}`;
      if (minimum !== undefined && (value as number) < minimum) return `takes at least ${minimum}`;
      return maximum !== undefined && (value as number) > maximum ? `takes at most ${maximum}` : undefined;
    }
  }
}
