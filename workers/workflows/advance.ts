import { instantOf, systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { advanceRun } from '#lib/workflows/advance.write.ts';
import { dueRuns, postponeWatch } from '#lib/workflows/watch.write.ts';
import { forEachIsolated } from './for-each-isolated.ts';
import { work as products } from './task-work.ts';

/** The most runs that one turn looks at. */
const TURN_MAX = 500;
/** One that cannot be taken on is not looked at for so long. */
const POSTPONED_MS = 30_000;

/** Takes every run of a workflow that is due as far as it goes, one run a transaction. */
export async function advance(orm: Orm, now = systemClock.now(), work = products): Promise<number> {
  const due = await inPlatform(orm, (em) => dueRuns(em, { now, limit: TURN_MAX }));
  await forEachIsolated(due, {
    do: ({ run, ...tenant }) => inTenant(orm, tenant, (em) => advanceRun(em, run, { work, now })),
    postpone: ({ run, ...tenant }) =>
      inTenant(orm, tenant, (em) => postponeWatch(em, run, instantOf(now.getTime() + POSTPONED_MS))),
  });
  return due.length;
}
