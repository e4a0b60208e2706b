import { Option } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { readJson } from './workflow-json.ts';

const NONE = '-';

export function parametersOption(): Option {
  return new Option(
    '--parameters <file.json>',
    `a JSON file with the parameters of the workflow; ${NONE} for none`,
  ).default(NONE);
}

export async function readParameters(file: string): Promise<Record<string, unknown>> {
  if (file === NONE) return {};
  const value = await readJson(file);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('parameters_invalid', 'parameters must be a JSON object');
  }
  return value as Record<string, unknown>;
}
