import { Option } from 'commander';
import type { Em } from '#lib/database/base.ts';
import { checkParameters, type ParameterValues } from '#lib/workflows/parameters.ts';
import { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { readJson } from './workflow-json.ts';

const NONE = '-';

export function parametersOption(): Option {
  return new Option('--parameters <file.json>', `its parameters; ${NONE} for none`).default(NONE);
}

export async function readParameters(file: string): Promise<Record<string, unknown>> {
  if (file === NONE) return {};
  const value = await readJson(file);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('parameters_invalid', 'parameters are a JSON object');
  }
  return value as Record<string, unknown>;
}

/** The version of a workflow that is published, with the parameters that it takes. */
export async function runnable(
  em: Em,
  key: string,
  given: Readonly<Record<string, unknown>>,
): Promise<{ version: WorkflowVersion; parameters: ParameterValues }> {
  const version = await em.findOne(WorkflowVersion, { key, state: 'published' });
  if (!version) throw new Refusal('workflow_not_published', `no version of ${key} is published`);
  const checked = checkParameters(version.definition, given);
  if (checked.ok) return { version, parameters: checked.values };
  const faults = checked.faults.map(({ name, message }) => `${name} ${message}`).join('; ');
  throw new Refusal('parameters_invalid', faults);
}
