import { sql } from 'kysely';
import type { QueueName } from '#lib/core/run.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { priorityOf, type TicketQueue } from '#lib/pipeline/queue.ts';

/** Half of the largest priority that a queue accepts. */
export const REBASE_ABOVE = 1_000_000;

/**
 * Renumbers the tags of the runs in a queue from 1, in the same order, once the smallest tag exceeds `above`.
 * A tag is the number by which admitted runs are ordered. The tags of an empty queue start from 1 again
 * anyway, so this function is needed only for queues that never become empty. No run is admitted during the
 * renumbering.
 */
export async function rebaseTags(
  orm: Orm,
  queues: Record<QueueName, TicketQueue>,
  above = REBASE_ABOVE,
): Promise<void> {
  for (const name of Object.keys(queues) as QueueName[]) {
    const waiting = await inPlatform(orm, async (em) => {
      const database = em.getKysely();
      const { rows } = await sql<{ min: number | null }>`
        select min(tag) as min from dispatch where queue = ${name}
      `.execute(database);
      if ((rows[0]!.min ?? 0) <= above) return [];
      await sql`lock table dispatch in share row exclusive mode`.execute(database);
      const moved = await sql<{ uid: string; tag: number; started: boolean }>`
        update dispatch set tag = tag - (select min(tag) - 1 from dispatch where queue = ${name})
        where queue = ${name} and tag is not null
        returning run_uid as uid, tag, started_at is not null as started
      `.execute(database);
      return moved.rows.filter((run) => !run.started);
    });
    for (const { uid, tag } of waiting) {
      const job = await queues[name].getJob(uid);
      await job?.changePriority({ priority: priorityOf(tag) });
    }
  }
}
