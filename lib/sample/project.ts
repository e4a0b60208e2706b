import type { WrittenDefinition } from '#lib/research/project-definition.ts';
import { isProjectName } from '#lib/research/research-project.query.ts';
import { createProject } from '#lib/research/write-project.command.ts';
import { unprovenPerson } from '#lib/access/prove-person.command.ts';
import { governWith, type SampleOperators } from './sample-operators.ts';

const NAME = 'Momentum';

const DEFINITION: WrittenDefinition = {
  universe: { kind: 'observed' },
  features: [{ key: 'momentum_12_1' }, { key: 'volatility_12m' }],
  target: { feature: 'return_1m', horizons_months: [1, 3] },
  calendar: 'month_end',
};

/** Creates a research project on the sample features. Running it again changes nothing. */
export async function seedProject(operators: SampleOperators, workspace: string): Promise<void> {
  if (await operators.query({ workspace, environment: 'sandbox' }, isProjectName, NAME)) return;
  const input = { workspace, name: NAME, written: DEFINITION };
  await governWith(operators, createProject, input, unprovenPerson(undefined));
}
