import { valuesByDay } from '#lib/data/numeric-values.repository.ts';
import type { MonthlyReturns } from '#lib/modeling/regime-training.ts';
import type { trainingsJob } from '#lib/modeling/trainings.job.ts';
import type { Loader } from '../runner.ts';

/** Reads the content of the dataset that the version names. */
export const loadTrainings: Loader<typeof trainingsJob, MonthlyReturns> = (em, { input }) =>
  valuesByDay(em, input.dataset, input.factors);
