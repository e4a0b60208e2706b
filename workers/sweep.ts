import { sql } from 'kysely';
import type { QueueName } from '#lib/core/job.ts';
import type { Log } from '#lib/core/log.ts';
import type { Environment } from '#lib/database/base.ts';
import { inPlatform, type Orm } from '#lib/database/orm.ts';
import { isJobKey, jobs } from '#lib/jobs.ts';
import { enqueue, type TicketQueue } from '#lib/pipeline/queue.ts';

/** How long the API has to hand over a run that it has just written. */
const GRACE = '2 seconds';
const BATCH = 1_000;

const alive = new Set(['waiting', 'active', 'delayed', 'prioritized', 'waiting-children', 'paused']);

type DispatchRow = {
  run_uid: string;
  workspace_uid: string;
  environment: Environment;
  kind: string;
  queue: QueueName;
};

/**
 * Hands every run that has not ended and has no live queue job to its queue again: the API died before it could, the
 * queue lost its memory, or its job ended without the record. Returns how many there were.
 */
export async function sweep(orm: Orm, queues: Record<QueueName, TicketQueue>, log: Log): Promise<number> {
  let lost = 0;
  let after = '';
  for (;;) {
    const rows = await openDispatches(orm, after);
    for (const row of rows) {
      const queue = queues[row.queue];
      if (!isJobKey(row.kind) || alive.has(await queue.getJobState(row.run_uid))) continue;
      await queue.remove(row.run_uid);
      const ticket = { uid: row.run_uid, workspace: row.workspace_uid, environment: row.environment };
      await enqueue(queue, jobs[row.kind], ticket);
      log.warn({ run: row.run_uid }, 'run had no queue job and was dispatched again');
      lost += 1;
    }
    if (rows.length < BATCH) return lost;
    after = rows.at(-1)!.run_uid;
  }
}

function openDispatches(orm: Orm, after: string): Promise<DispatchRow[]> {
  return inPlatform(orm, async (em) => {
    const { rows } = await sql<DispatchRow>`
      select run_uid, workspace_uid, environment, kind, queue from dispatch
      where created_at < now() - ${GRACE}::interval and run_uid > ${after}
      order by run_uid limit ${BATCH}
    `.execute(em.getKysely());
    return rows;
  });
}
