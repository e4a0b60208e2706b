import { systemClock } from '#lib/core/clock.ts';
import { inPlatform, inTenant, type Orm } from '#lib/database/orm.ts';
import { advanceRun } from '#lib/workflows/advance.repository.ts';
import { dueRuns } from '#lib/workflows/watch.repository.ts';
import { work } from './work.ts';

/** The most runs that one turn looks at. */
const TURN_MOST = 500;

/**
 * Takes every run of a workflow that is due as far as it goes, one run a transaction. One that fails does not hold up
 * the others; the first error is thrown in the end, so that it is seen.
 */
export async function advance(orm: Orm, now = systemClock.now()): Promise<number> {
  const errors: unknown[] = [];
  const due = await inPlatform(orm, (em) => dueRuns(em, { now, most: TURN_MOST }));
  for (const { run, workspace, environment } of due) {
    try {
      await inTenant(orm, { workspace, environment }, (em) => advanceRun(em, run, { work, now }));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return due.length;
}
