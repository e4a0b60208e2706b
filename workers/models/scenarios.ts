import type { Em } from '#lib/database/base.ts';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import { trainingMonths } from '#lib/models/scenarios/training-months.query.ts';
import { scenarioParts } from '#lib/models/scenarios/scenario-parts.ts';
import type { ScenarioInput } from '#lib/models/scenarios/scenarios.schema.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { runner } from '../process/runner.ts';
import { loadCheckpoint } from './checkpoint.ts';

/** The checkpoint, and its training months if the engine draws from the training months. */
export type LoadedScenarios = { checkpoint: Checkpoint; months: Float64Array | null };

export default runner(scenariosRun, {
  load: (em, { input }): Promise<LoadedScenarios> => loadScenarioData(em, input),
  /** Divides a large run into parts, each with some of the samples. */
  divide: (input) => scenarioParts(input),
  compute: new URL('./scenarios.compute.ts', import.meta.url),
});

/**
 * Reads the rows of the dataset as they were at training. The training recorded a hash that identifies them.
 */
export async function loadScenarioData(em: Em, input: ScenarioInput): Promise<LoadedScenarios> {
  const checkpoint = await loadCheckpoint(em, input);
  return { checkpoint, months: await trainingMonths(em, input.training_set, checkpoint) };
}
