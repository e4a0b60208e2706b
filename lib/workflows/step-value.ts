import type { StepValue, StepValues } from './definition.schema.ts';
import type { ParameterValues } from './parameters.ts';

/** The sources of a step's values at its beginning. `outputOf` returns the complete output of a succeeded step. */
export type StepSources = {
  parameters: ParameterValues;
  outputOf(step: string): Promise<Readonly<Record<string, unknown>>>;
};

/** Reports a pointer that finds nothing in the output of a step. */
export class ValueMissing extends Error {
  readonly code = 'value_missing';
}

/** Resolves a value of a step. Throws `ValueMissing` if the pointer of the value finds nothing. */
export async function resolveValue(value: StepValue, sources: StepSources): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const elements: unknown[] = [];
    for (const each of value) elements.push(await resolveValue(each, sources));
    return elements;
  }
  if ('literal' in value) return value.literal;
  if ('parameter' in value) return sources.parameters[value.parameter] ?? null;
  const found = at(await sources.outputOf(value.step), value.pointer);
  if (found === undefined)
    throw new ValueMissing(`the output of the step ${value.step} has no value at ${value.pointer}`);
  return found;
}

/** Resolves the members of a step's input. A member that names a parameter without a value is omitted. */
export async function resolveInput(
  values: StepValues,
  sources: StepSources,
): Promise<Record<string, unknown>> {
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(values)) {
    const resolved = await resolveValue(value, sources);
    const isLeftOut =
      resolved === null && typeof value === 'object' && value !== null && 'parameter' in value;
    if (!isLeftOut) members.push([name, resolved]);
  }
  return Object.fromEntries(members);
}

/**
 * Returns the value at an RFC 6901 pointer. The pointer follows only an object's own members and the elements of an
 * array.
 */
function at(document: unknown, pointer: string): unknown {
  let here = document;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}
