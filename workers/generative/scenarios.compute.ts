import type { Control } from '#lib/core/job.ts';
import { keptBytes } from '#lib/generative/sample-summary.ts';
import { scenarioRun } from '#lib/generative/scenario-run.ts';
import type { scenariosJob } from '#lib/generative/scenarios.job.ts';
import type { ScenarioInput } from '#lib/generative/scenarios.schema.ts';
import type { Computation } from '../runner.ts';
import type { LoadedScenarios } from './scenarios.ts';

export const compute: Computation<typeof scenariosJob, LoadedScenarios> = (input, data, control) =>
  scenarioOutcome(input, data, control);

/** The scenarios of a run, or why they cannot be. */
export function scenarioOutcome(
  input: ScenarioInput,
  { checkpoint, months }: LoadedScenarios,
  control: Control,
) {
  const run = scenarioRun(input, checkpoint, { months, control });
  if (run.ok) {
    const { result, matrix } = run;
    return { ok: true as const, output: { result }, attachments: {}, matrix: keptBytes(matrix) };
  }
  const detail = `The shock of ${run.factor} ${run.detail}.`;
  const refusal = { code: 'stress_invalid' as const, detail, members: { factor: run.factor } };
  return { ok: false as const, refusal };
}
