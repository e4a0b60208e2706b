import { valuesByDay } from '#lib/data/numeric-values.query.ts';
import type { Em } from '#lib/database/base.ts';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
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
  const { training_set } = input;
  if (training_set === null) return { checkpoint, months: null };
  if (training_set.content_hash !== checkpoint.training_data_hash)
    throw new Error('the checkpoint was trained on different content');
  const { values } = await valuesByDay(em, training_set, checkpoint.factors);
  return { checkpoint, months: values };
}
