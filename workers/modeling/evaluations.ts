import { valuesByDay } from '#lib/data/numeric-values.repository.ts';
import type { evaluationsRun } from '#lib/modeling/evaluations.run.ts';
import type { MonthlyReturns } from '#lib/modeling/regime-training.ts';
import { alteredSnapshot } from '#lib/quant/snapshot-series.repository.ts';
import type { Loader } from '../runner.ts';

/** The rows that are evaluated on, and why the sealed snapshots that they were made of are not used. */
export type LoadedEvaluation = MonthlyReturns & { altered: string | null };

/** Reads the content of the dataset that the version names. Seals are checked. */
export const loadEvaluations: Loader<typeof evaluationsRun, LoadedEvaluation> = async (em, { input }) => ({
  ...(await valuesByDay(em, input.dataset, input.factors)),
  altered: await alteredSnapshot(em, input.dataset),
});
