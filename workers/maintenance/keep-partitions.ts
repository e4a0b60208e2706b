import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import { systemClock } from '#lib/core/clock.ts';
import {
  addPartitions,
  dropUnwantedPartitions,
  type DroppedPartition,
} from '#lib/data/partition.repository.ts';
import { environments } from '#lib/database/base.ts';
import { inPlatform, type Em, type Orm } from '#lib/database/orm.ts';

/** How far behind today the last partition ends, in years: the time that there is to notice that none is made. */
const YEARS_AHEAD = 5;

/**
 * Makes the partitions of the years to come, and drops those that no dataset wants any more. What is dropped is an
 * entry of the log of each workspace whose data it held, in the same transaction.
 */
export async function keepPartitions(
  orm: Orm,
  { yearsAhead = YEARS_AHEAD, now = systemClock.now() } = {},
): Promise<{ added: string[]; dropped: DroppedPartition[] }> {
  const added = await inPlatform(orm, (em) => addPartitions(em, yearsAhead));
  const dropped = await inPlatform(orm, async (em) => {
    const gone = await dropUnwantedPartitions(em);
    for (const each of gone) await tell(em, each, now);
    return gone;
  });
  return { added, dropped };
}

async function tell(
  em: Em,
  { workspace, datasetId, partition, firstDay, endDay }: DroppedPartition,
  now: Date,
) {
  for (const environment of environments) {
    await sql`
      select set_config('app.workspace', ${workspace}, true), set_config('app.environment', ${environment}, true)
    `.execute(em.getKysely());
    const { rows } = await sql<{ uid: string }>`select uid from dataset where id = ${datasetId}`.execute(
      em.getKysely(),
    );
    await appendAudit(
      em,
      {
        at: now,
        op: 'dataset.partition_dropped',
        actor: { kind: 'system' },
        subject: { type: 'dataset', uid: rows[0]?.uid ?? String(datasetId) },
        details: { partition, from: firstDay, before: endDay },
      },
      { workspace, environment },
    );
  }
}
