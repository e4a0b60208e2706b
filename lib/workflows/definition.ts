import { createAjv } from '#lib/core/ajv.ts';
import { minorDigits } from '#lib/core/money.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Scope } from '#lib/core/scope.ts';
import { WorkflowDefinition, type StepDefinition, type StepValue } from './definition.schema.ts';
import { jobScopes, taskScopes } from './work.ts';

export type DefinitionFault = { pointer: string; message: string };

const validate = createAjv().compile<WorkflowDefinition>(WorkflowDefinition);

/** What a JSON value is as a workflow: its definition with the digest, or every fault by JSON pointer. */
export function readDefinition(
  value: unknown,
): { ok: true; definition: WorkflowDefinition; digest: string } | { ok: false; faults: DefinitionFault[] } {
  const faults = validate(value)
    ? contentFaults(value)
    : validate.errors!.map(({ instancePath, message }) => ({
        pointer: instancePath,
        message: message ?? 'is not valid',
      }));
  if (faults.length > 0) return { ok: false, faults: faults.slice(0, 50) };
  const definition = value as WorkflowDefinition;
  return { ok: true, definition, digest: canonicalHash(definition) };
}

/** The steps that must have succeeded before one begins: those it names, else the one before it. */
export function needsOf(steps: readonly StepDefinition[], position: number): readonly string[] {
  const before = steps[position - 1];
  return steps[position]!.needs ?? (before ? [before.key] : []);
}

/** The scopes without which an application cannot run it. */
export function scopesOf({ steps }: WorkflowDefinition): Scope[] {
  const scopes = steps.flatMap((step) =>
    step.kind === 'run' ? [jobScopes[step.job]] : step.kind === 'task' ? [taskScopes[step.task]] : [],
  );
  return [...new Set<Scope>(scopes)].sort();
}

/** The values that a step reads, each with where it stands in the step. */
export function valuesOf(step: StepDefinition): [pointer: string, value: StepValue][] {
  switch (step.kind) {
    case 'run':
    case 'task':
      return Object.entries(step.input).map(([name, value]) => [`/input/${name}`, value]);
    case 'report':
      return Object.entries(step.figures).map(([name, value]) => [`/figures/${name}`, value]);
    case 'gate':
      return [['/value', step.value]];
    case 'approval':
      return [];
  }
}

/** What the schema does not see: names that are used twice or lead nowhere. A step needs steps that stand before it. */
function contentFaults({ parameters, steps, cost_estimate: cost }: WorkflowDefinition): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  if (cost && minorDigits(cost.currency) === undefined) {
    faults.push({ pointer: '/cost_estimate/currency', message: 'is no currency in force' });
  }
  const names = new Set<string>();
  for (const [at, { name }] of parameters.entries()) {
    if (names.has(name)) faults.push({ pointer: `/parameters/${at}/name`, message: 'is used before' });
    names.add(name);
  }
  /** The steps whose output a step may read: all that have surely succeeded when it begins. */
  const ancestors = new Map<string, Set<string>>();
  for (const [at, step] of steps.entries()) {
    const pointer = `/steps/${at}`;
    if (ancestors.has(step.key)) faults.push({ pointer: `${pointer}/key`, message: 'is used before' });
    const known = new Set<string>();
    for (const need of needsOf(steps, at)) {
      if (!ancestors.has(need))
        faults.push({ pointer: `${pointer}/needs`, message: `${need} is no step before` });
      for (const each of [need, ...(ancestors.get(need) ?? [])]) known.add(each);
    }
    for (const [where, value] of valuesOf(step)) {
      if (typeof value !== 'object' || value === null) continue;
      const lost = 'parameter' in value ? !names.has(value.parameter) : !known.has(value.step);
      if (lost)
        faults.push({ pointer: `${pointer}${where}`, message: 'names nothing that is known by then' });
    }
    ancestors.set(step.key, known);
  }
  return faults;
}
