import { createAjv } from '#lib/core/ajv.ts';
import { minorDigits } from '#lib/core/money.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Scope } from '#lib/core/scope.ts';
import { WorkflowDefinition, type StepDefinition, type StepValue } from './definition.schema.ts';
import { taskScopes, type StartableRuns } from './task-scopes.ts';

export type DefinitionFault = { pointer: string; message: string };

const validate = createAjv().compile<WorkflowDefinition>(WorkflowDefinition);

/** The largest size of a literal value of a step, in bytes. */
const LITERAL_BYTES_MAX = 65_536;

/**
 * Reads a JSON value as the definition of a workflow. `runs` are the kinds of runs that the workflow may start. Returns
 * the definition with its digest, or every fault with its JSON pointer.
 */
export function readDefinition(
  value: unknown,
  runs: StartableRuns,
): { ok: true; definition: WorkflowDefinition; digest: string } | { ok: false; faults: DefinitionFault[] } {
  const faults = validate(value)
    ? contentFaults(value, runs)
    : validate.errors!.map(({ instancePath, message }) => ({
        pointer: instancePath,
        message: message ?? 'is not valid',
      }));
  if (faults.length > 0) return { ok: false, faults: faults.slice(0, 50) };
  const definition = value as WorkflowDefinition;
  return { ok: true, definition, digest: canonicalHash(definition) };
}

/**
 * Returns the steps that must have succeeded before a step begins: the steps that it names, otherwise the previous
 * step.
 */
export function needsOf(steps: readonly StepDefinition[], position: number): readonly string[] {
  const before = steps[position - 1];
  return steps[position]!.needs ?? (before ? [before.key] : []);
}

/**
 * Returns the scopes that an application needs to run the workflow: the scopes of the declared runs that the workflow
 * starts, and the scopes of the workflow's tasks.
 */
export function scopesOf({ steps }: WorkflowDefinition, runs: StartableRuns): Scope[] {
  const scopes = steps.flatMap((step) => {
    if (step.kind === 'task') return [taskScopes[step.task]];
    return step.kind === 'run' && Object.hasOwn(runs, step.job) ? [runs[step.job]!.scope] : [];
  });
  return [...new Set<Scope>(scopes)].sort();
}

/**
 * Returns the kinds of runs that the workflow starts, but that are not declared. This happens if a kind was removed
 * after the version was written.
 */
export function undeclaredRunsOf({ steps }: WorkflowDefinition, runs: StartableRuns): string[] {
  const jobs = steps.flatMap((step) => (step.kind === 'run' ? [step.job] : []));
  return [...new Set<string>(jobs)].filter((job) => !Object.hasOwn(runs, job)).sort();
}

/** Returns the values that a step reads, each with its pointer into the step. */
export function valuesOf(step: StepDefinition): [pointer: string, value: StepValue][] {
  switch (step.kind) {
    case 'run':
    case 'task':
      return Object.entries(step.input).flatMap(([name, value]) => elementsOf(`/input/${name}`, value));
    case 'report':
      return Object.entries(step.figures).flatMap(([name, value]) => elementsOf(`/figures/${name}`, value));
    case 'gate':
      return [['/value', step.value]];
    case 'approval':
      return [];
  }
}

function elementsOf(pointer: string, value: StepValue): [pointer: string, value: StepValue][] {
  if (!Array.isArray(value)) return [[pointer, value]];
  return value.map((each, at) => [`${pointer}/${at}`, each]);
}

/**
 * Returns the faults that the schema cannot express: names that are repeated or undefined. A step may only need earlier
 * steps.
 */
function contentFaults(
  { parameters, steps, cost_estimate: cost }: WorkflowDefinition,
  runs: StartableRuns,
): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  if (cost && minorDigits(cost.currency) === undefined) {
    faults.push({ pointer: '/cost_estimate/currency', message: 'is not an active ISO 4217 currency' });
  }
  const names = new Set<string>();
  for (const [at, { name }] of parameters.entries()) {
    if (names.has(name)) faults.push({ pointer: `/parameters/${at}/name`, message: 'is already in use' });
    names.add(name);
  }
  /** For each step, the steps whose output it may read: all steps that must have succeeded before the step begins. */
  const ancestors = new Map<string, Set<string>>();
  for (const [at, step] of steps.entries()) {
    const pointer = `/steps/${at}`;
    if (ancestors.has(step.key)) faults.push({ pointer: `${pointer}/key`, message: 'is already in use' });
    if (step.kind === 'run' && !Object.hasOwn(runs, step.job))
      faults.push({ pointer: `${pointer}/job`, message: `must be one of ${Object.keys(runs).join(', ')}` });
    const known = new Set<string>();
    for (const need of needsOf(steps, at)) {
      if (!ancestors.has(need))
        faults.push({ pointer: `${pointer}/needs`, message: `${need} is not an earlier step` });
      for (const each of [need, ...(ancestors.get(need) ?? [])]) known.add(each);
    }
    for (const [where, value] of valuesOf(step)) {
      const message = valueFault(value, names, known);
      if (message) faults.push({ pointer: `${pointer}${where}`, message });
    }
    ancestors.set(step.key, known);
  }
  return faults;
}

/**
 * Returns the fault of a value; undefined if the value is valid. The value may only name the given parameters and
 * steps.
 */
function valueFault(
  value: StepValue,
  parameters: ReadonlySet<string>,
  known: ReadonlySet<string>,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if ('literal' in value) {
    const isTooLarge = Buffer.byteLength(JSON.stringify(value.literal)) > LITERAL_BYTES_MAX;
    return isTooLarge ? `must not be larger than ${LITERAL_BYTES_MAX} bytes` : undefined;
  }
  const isKnown = 'parameter' in value ? parameters.has(value.parameter) : known.has(value.step);
  return isKnown ? undefined : 'must name a parameter of the workflow or an earlier step';
}
