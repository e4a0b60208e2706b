import { canonicalHash } from '#lib/core/seal.ts';
import { valuesByDay } from '#lib/data/numeric-values.query.ts';
import type { Em } from '#lib/database/base.ts';
import {
  consumedRun,
  type FoundConsumedRun,
} from '#lib/investment/portfolio-scenarios/consumed-run.query.ts';
import { portfolioScenariosRun } from '#lib/investment/portfolio-scenarios/portfolio-scenarios.run.ts';
import { scenarioData } from '#lib/investment/portfolio-scenarios/scenario-data.query.ts';
import type { ScenarioData } from '#lib/investment/portfolio-scenarios/scenario-data.ts';
import { readCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { readMatrix } from '#lib/pipeline/run-matrix.write.ts';
import { runner } from '../process/runner.ts';

/**
 * The samples that were stored with the consumed run or, if they were not stored, the input from which they
 * are drawn again.
 */
export type LoadedSamples =
  | { kept: Uint8Array }
  | { kept: null; input: FoundConsumedRun['input']; checkpoint: Checkpoint; months: Float64Array | null };

/** The loaded data. `symbols` is the number of symbols that the portfolio may hold. */
export type LoadedPortfolioScenarios = { data: ScenarioData; samples: LoadedSamples; symbols: number };

export default runner(portfolioScenariosRun, {
  /** Reads the pinned events, the market data at the pinned revisions, and the samples of the consumed run. */
  load: async (em, { input, datasetRevisions: revisions }): Promise<LoadedPortfolioScenarios> => {
    const found = await consumedRun(em, input.scenario_run);
    return {
      ...(await scenarioData(em, input, { found, revisions })),
      samples: await loadSamples(em, input.scenario_run, found),
    };
  },
  compute: new URL('./portfolio-scenarios.compute.ts', import.meta.url),
});

async function loadSamples(em: Em, uid: string, { input }: FoundConsumedRun): Promise<LoadedSamples> {
  const kept = await readMatrix(em, uid);
  if (kept) return { kept };
  const checkpoint = await readCheckpoint(em, input.training_uid);
  if (canonicalHash(checkpoint) !== input.checkpoint_hash)
    throw new Error('the checkpoint differs from that of the consumed run');
  const training = 'training_set' in input ? input.training_set : null;
  const months = training && (await valuesByDay(em, training, checkpoint.factors)).values;
  return { kept: null, input, checkpoint, months };
}
