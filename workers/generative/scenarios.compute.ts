import type { Control, Part } from '#lib/core/run.ts';
import { bytesOf, keptBytes } from '#lib/generative/sample-summary.ts';
import type { RefusedShock } from '#lib/generative/regime-laws.ts';
import { scenarioPart, scenarioRun } from '#lib/generative/scenario-run.ts';
import type { scenariosRun } from '#lib/generative/scenarios.run.ts';
import type { ScenarioInput } from '#lib/generative/scenarios.schema.ts';
import type { Computation, PartComputation } from '../runner.ts';
import type { LoadedScenarios } from './scenarios.ts';

export const compute: Computation<typeof scenariosRun, LoadedScenarios> = (input, data, control, drawn) =>
  scenarioOutcome(input, data, control, drawn);

export const computePart: PartComputation<typeof scenariosRun, LoadedScenarios> = (
  input,
  data,
  part,
  control,
) => partOutcome(input, data, part, control);

/** The scenarios of a run, or why they cannot be. Samples that were drawn in parts are kept already. */
export function scenarioOutcome(
  input: ScenarioInput,
  { checkpoint, months }: LoadedScenarios,
  control: Control,
  drawn?: Float64Array,
) {
  const run = scenarioRun(input, checkpoint, { months, control, drawn });
  if (run.ok) {
    const { result, matrix } = run;
    const kept = drawn ? {} : { matrix: keptBytes(matrix) };
    return { ok: true as const, output: { result }, attachments: {}, ...kept };
  }
  return refused(run);
}

/** Some of the samples of a run, or why they cannot be. */
export function partOutcome(
  input: ScenarioInput,
  { checkpoint, months }: LoadedScenarios,
  part: Part,
  control: Control,
) {
  const run = scenarioPart(input, checkpoint, { months, control, part });
  return run.ok ? { ok: true as const, matrix: bytesOf(run.matrix) } : refused(run);
}

function refused({ factor, detail: why }: RefusedShock) {
  const detail = `The shock of ${factor} ${why}.`;
  const refusal = { code: 'stress_invalid' as const, detail, members: { factor } };
  return { ok: false as const, refusal };
}
