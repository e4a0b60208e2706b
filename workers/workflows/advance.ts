import { instantOf, systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { advanceRun } from '#lib/workflows/advance.write.ts';
import { dueRuns, postponeWatch } from '#lib/workflows/watch.write.ts';
import { forEachIsolated } from './for-each-isolated.ts';
import { work as products } from './task-work.ts';

/** The maximum number of runs that one pass reads. */
const TURN_MAX = 500;
/** How long a run that cannot be advanced is postponed, in milliseconds. */
const POSTPONED_MS = 30_000;

/** Advances every due workflow run as far as possible, one run per transaction. */
export async function advance(orm: Orm, now = systemClock.now(), work = products): Promise<number> {
  const due = await inPlatform(orm, (em) => dueRuns(em, { now, limit: TURN_MAX }));
  await forEachIsolated(due, {
    do: ({ run, ...tenant }) => inTenant(orm, tenant, (em) => advanceRun(em, run, { work, now })),
    postpone: ({ run, ...tenant }) =>
      inTenant(orm, tenant, (em) => postponeWatch(em, run, instantOf(now.getTime() + POSTPONED_MS))),
  });
  return due.length;
}
