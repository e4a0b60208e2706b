import { valuesByDay } from '#lib/data/numeric-values.repository.ts';
import type { evaluationsJob } from '#lib/modeling/evaluations.job.ts';
import type { MonthlyReturns } from '#lib/modeling/regime-training.ts';
import type { Loader } from '../runner.ts';

/** Reads the content of the dataset that the version names. */
export const loadEvaluations: Loader<typeof evaluationsJob, MonthlyReturns> = (em, { input }) =>
  valuesByDay(em, input.dataset, input.factors);
