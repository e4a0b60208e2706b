import { sql } from 'kysely';
import type { QueueName } from '#lib/core/run.ts';
import type { Log } from '#lib/core/log.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { admitRuns, type Admitted } from '#lib/pipeline/admission.query.ts';
import { enqueueAdmitted, redispatch, type TicketQueue } from '#lib/pipeline/queue.ts';

/** The time that a process has to dispatch a run that it has just admitted. */
const GRACE = '2 seconds';
const BATCH = 1_000;

type Queues = Record<QueueName, TicketQueue>;

/** The unknown queues that have been reported. */
const reported = new Set<string>();

/**
 * Repairs interrupted work: admits waiting runs if the limits allow it, and dispatches every admitted run
 * without a live queue job again. The job can be missing because the process that admitted the run died,
 * because the queue lost its data, or because the job ended but the record did not. Runs of other queues, which
 * only a newer version knows, are left to the scheduler of that version. Returns the number of queue jobs that
 * were missing.
 */
export async function sweep(orm: Orm, queues: Queues, log: Log): Promise<number> {
  await warnOfUnknownQueues(orm, queues, log);
  await admitWaiting(orm, queues, log);
  let lost = 0;
  let after = '';
  for (;;) {
    const runs = await admittedRuns(orm, Object.keys(queues), after);
    for (const run of runs) {
      if (!(await redispatch(queues[run.queue], run)).handedOver) continue;
      log.warn({ run: run.uid }, 'the run had no queue job and was dispatched again');
      lost += 1;
    }
    if (runs.length < BATCH) return lost;
    after = runs.at(-1)!.uid;
  }
}

/** Logs the queues that this version does not know, each once in a process. After a rollback, their runs wait forever. */
async function warnOfUnknownQueues(orm: Orm, queues: Queues, log: Log): Promise<void> {
  const found = await inPlatform(orm, async (em) => {
    const { rows } = await sql<{ queue: string; runs: number }>`
      select queue, count(*)::int as runs from dispatch
      where queue <> all(${Object.keys(queues)}::text[]) group by queue
    `.execute(em.getKysely());
    return rows;
  });
  for (const { queue, runs } of found) {
    if (reported.has(queue)) continue;
    reported.add(queue);
    log.warn({ queue, runs }, 'only a newer version knows this queue; its runs wait for that version');
  }
}

async function admitWaiting(orm: Orm, queues: Queues, log: Log): Promise<void> {
  const lanes = await inPlatform(orm, async (em) => {
    const { rows } = await sql<{ queue: QueueName; workspace_uid: string }>`
      select distinct queue, workspace_uid from dispatch
      where tag is null and queue = any(${Object.keys(queues)}::text[])
    `.execute(em.getKysely());
    return rows;
  });
  for (const lane of lanes) {
    const admitted = await inPlatform(orm, (em) => admitRuns(em, lane.queue, lane.workspace_uid));
    await enqueueAdmitted(queues, admitted, log);
  }
}

function admittedRuns(orm: Orm, queues: readonly string[], after: string): Promise<Admitted[]> {
  return inPlatform(orm, async (em) => {
    const { rows } = await sql<Admitted>`
      select run_uid as uid, workspace_uid as workspace, environment, kind, queue, tag from dispatch
      where admitted_at < now() - ${GRACE}::interval and queue = any(${queues}::text[]) and run_uid > ${after}
      order by run_uid limit ${BATCH}
    `.execute(em.getKysely());
    return rows;
  });
}
