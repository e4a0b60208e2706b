import { alteredSnapshot } from '#lib/research/snapshot-series.query.ts';
import { valuesByDay } from '#lib/data/numeric-values.query.ts';
import type { MemberCheckpoints } from '#lib/models/prediction/model.ts';
import type { MonthlyReturns } from '#lib/models/training/regime-training.ts';
import { trainingsRun } from '#lib/models/training/trainings.run.ts';
import { readMemberCheckpoints } from '#lib/models/drift/member-checkpoints.query.ts';
import { runner } from '../process/runner.ts';

/** The training rows and, for an ensemble, the checkpoints of its members. */
export type LoadedTraining = MonthlyReturns & {
  members: MemberCheckpoints;
  /** The reason why the sealed snapshots of the rows cannot be used; null if there is none. */
  altered: string | null;
};

export default runner(trainingsRun, {
  /**
   * Reads the content of the dataset that the version names, and the checkpoints of the ensemble members that
   * are versions of trained models. Checks the seals.
   */
  load: async (em, { input }): Promise<LoadedTraining> => ({
    ...(await valuesByDay(em, input.dataset, input.factors)),
    members: await readMemberCheckpoints(em, input.prediction),
    altered: await alteredSnapshot(em, input.dataset),
  }),
  compute: new URL('./trainings.compute.ts', import.meta.url),
});
