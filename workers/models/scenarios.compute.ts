import type { Control } from '#lib/core/run.ts';
import { bytesOf, keptBytes } from '#lib/models/scenarios/sample-summary.ts';
import type { RefusedShock } from '#lib/models/scenarios/regime-laws.ts';
import { scenarioPart, scenarioRun } from '#lib/models/scenarios/scenario-run.ts';
import type { ScenarioInput } from '#lib/models/scenarios/scenarios.schema.ts';
import type { ComputationOf, Divided } from '../process/runner.ts';
import type runner from './scenarios.ts';
import type { LoadedScenarios } from './scenarios.ts';

export const compute: ComputationOf<typeof runner> = (input, data, control, divided) =>
  scenarioOutcome(input, data, control, divided);

/**
 * Returns the scenarios of a run or of some of its samples, or the refusal. If the samples were drawn in
 * parts, the stored parts become the matrix of the run.
 */
export function scenarioOutcome(
  input: ScenarioInput,
  { checkpoint, months }: LoadedScenarios,
  control: Control,
  { part, drawn }: Partial<Divided> = {},
) {
  if (part) {
    const drawnPart = scenarioPart(input, checkpoint, { months, control, part });
    return drawnPart.ok ? { ok: true as const, part: bytesOf(drawnPart.matrix) } : refused(drawnPart);
  }
  const run = scenarioRun(input, checkpoint, { months, control, drawn });
  if (!run.ok) return refused(run);
  const { result, matrix } = run;
  const kept = drawn ? ('parts' as const) : keptBytes(matrix);
  return { ok: true as const, output: { result }, attachments: {}, matrix: kept };
}

function refused({ factor, detail: why }: RefusedShock) {
  const detail = `The shock of ${factor} ${why}.`;
  const refusal = { code: 'stress_invalid' as const, detail, members: { factor } };
  return { ok: false as const, refusal };
}
