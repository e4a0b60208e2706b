import { scenarioRun } from '#lib/generative/scenario-run.ts';
import type { scenariosJob } from '#lib/generative/scenarios.job.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import type { Computation } from '../runner.ts';

export const compute: Computation<typeof scenariosJob, Checkpoint> = (input, checkpoint) => {
  const run = scenarioRun(input, checkpoint);
  if (run.ok) return { ok: true, output: { result: run.result }, attachments: {} };
  const detail = `The shock of ${run.factor} ${run.detail}.`;
  return { ok: false, refusal: { code: 'stress_invalid', detail, members: { factor: run.factor } } };
};
