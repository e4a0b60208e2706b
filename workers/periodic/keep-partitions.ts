import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { systemClock } from '#lib/core/clock.ts';
import {
  addPartitions,
  dropUnwantedObservations,
  dropUnwantedPartitions,
  type DroppedObservations,
  type DroppedPartition,
} from '#lib/data/partition.query.ts';
import { environments, type Em, type Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';

/**
 * The number of years for which partitions exist in advance. If the creation of partitions fails, this is the
 * time until a partition is missing.
 */
const YEARS_AHEAD = 5;

/**
 * Creates the partitions of the coming years, drops partitions that no dataset needs any more, and deletes
 * expired rows of tables without partitions. Each deletion writes an entry to the audit log of the workspaces
 * that owned the data, in the same transaction.
 */
export async function keepPartitions(
  orm: Orm,
  { yearsAhead = YEARS_AHEAD, now = systemClock.now() } = {},
): Promise<{ added: string[]; dropped: DroppedPartition[]; deleted: DroppedObservations[] }> {
  const added = await inPlatform(orm, (em) => addPartitions(em, yearsAhead));
  const dropped = await inPlatform(orm, async (em) => {
    const gone = await dropUnwantedPartitions(em);
    for (const each of gone) {
      const { partition, firstDay, endDay } = each;
      await record(em, each, {
        op: 'dataset.partition_dropped',
        now,
        details: { partition, from: firstDay, before: endDay },
      });
    }
    return gone;
  });
  const deleted = await inPlatform(orm, async (em) => {
    const gone = await dropUnwantedObservations(em);
    for (const each of gone) {
      const { before, rows } = each;
      await record(em, each, { op: 'dataset.observations_dropped', now, details: { before, rows } });
    }
    return gone;
  });
  return { added, dropped, deleted };
}

type Entry = { op: `dataset.${string}`; now: Date; details: Record<string, string | number> };

async function record(
  em: Em,
  { workspace, datasetId }: { workspace: string; datasetId: number },
  { op, now, details }: Entry,
) {
  for (const environment of environments) {
    await sql`
      select set_config('app.workspace', ${workspace}, true), set_config('app.environment', ${environment}, true)
    `.execute(em.getKysely());
    const { rows } = await sql<{ uid: string }>`select uid from dataset where id = ${datasetId}`.execute(
      em.getKysely(),
    );
    const subject = { type: 'dataset', uid: rows[0]?.uid ?? String(datasetId) };
    await appendAudit(
      em,
      { at: now, op, actor: { kind: 'system' }, subject, details },
      { workspace, environment },
    );
  }
}
