import { valuesByDay } from '#lib/data/numeric-values.query.ts';
import { evaluationsRun } from '#lib/models/training/evaluations.run.ts';
import type { MonthlyReturns } from '#lib/models/training/regime-training.ts';
import { alteredSnapshot } from '#lib/research/snapshot-series.query.ts';
import { runner } from '../process/runner.ts';

/**
 * The evaluation rows, and the reason why the sealed snapshots of these rows cannot be used. The reason is null if
 * there is none.
 */
export type LoadedEvaluation = MonthlyReturns & { altered: string | null };

export default runner(evaluationsRun, {
  /** Reads the content of the dataset that the version names, and checks the seals of its snapshots. */
  load: async (em, { input }): Promise<LoadedEvaluation> => ({
    ...(await valuesByDay(em, input.dataset, input.factors)),
    altered: await alteredSnapshot(em, input.dataset),
  }),
  compute: new URL('./evaluations.compute.ts', import.meta.url),
});
