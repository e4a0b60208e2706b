import { instantOf, systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { dueSchedules, postponeStart, startDue as start } from '#lib/workflows/start-due.write.ts';
import { forEachIsolated } from './for-each-isolated.ts';

/** The maximum number of schedules that one pass reads. */
const TURN_MAX = 500;
/** How long a schedule is postponed if its start failed, in milliseconds. */
const POSTPONED_MS = 30_000;

/**
 * Requests all workflow starts that are due, one schedule per transaction. Returns the number of started
 * runs.
 */
export async function startDue(orm: Orm, now = systemClock.now()): Promise<number> {
  const due = await inPlatform(orm, (em) => dueSchedules(em, { now, limit: TURN_MAX }));
  let started = 0;
  await forEachIsolated(due, {
    do: async ({ schedule, ...tenant }) => {
      const outcome = await inTenant(orm, tenant, (em) => start(em, schedule, now));
      if (outcome === 'started') started += 1;
    },
    postpone: ({ schedule, ...tenant }) =>
      inTenant(orm, tenant, (em) => postponeStart(em, schedule, instantOf(now.getTime() + POSTPONED_MS))),
  });
  return started;
}
