import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import type { MaterialisableVersion } from './version.query.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

export type Mode = 'incremental' | 'full';

/** A materialisation that is in progress. */
export type Materialisation = {
  uid: string;
  mode: Mode;
  /**
   * The last revision of the dataset that the materialisation covers. `until` is the last moment of the
   * events and of the known data that it covers.
   */
  revision: number;
  until: string;
  /**
   * The `revision` and `until` of the last successful materialisation; undefined if there is none, and for a full
   * materialisation.
   */
  since: { revision: number; until: string } | undefined;
};

/** The time without a heartbeat after which a running materialisation counts as failed. */
const SILENCE = '10 minutes';

/**
 * Starts the materialisation of a version. Returns undefined if another process is already materialising the version. A
 * running materialisation without a recent heartbeat is marked as failed. The values of a failed materialisation are
 * kept, and the new materialisation completes them.
 */
export async function beginMaterialisation(
  em: Em,
  version: MaterialisableVersion,
  { mode, now }: { mode: Mode; now: Date },
): Promise<Materialisation | undefined> {
  const database = em.getKysely();
  const at = now.toISOString();
  await acquireNamedLock(em, `feature ${version.id}`);
  await sql`
    update feature_materialisation set state = 'failed', problem = 'its process was lost', finished_at = ${at}
    where feature_version_id = ${version.id} and state = 'running'
      and beat_at < ${at}::timestamptz - ${SILENCE}::interval
  `.execute(database);
  const last = await sql<{ state: string; revision: number; until: string }>`
    select state, dataset_revision as revision, told_until::text as until from feature_materialisation
    where feature_version_id = ${version.id} and state in ('running', 'succeeded')
    order by state, uid desc limit 1
  `.execute(database);
  const before = last.rows[0];
  if (before?.state === 'running') return undefined;
  const since = before && mode === 'incremental' ? before : undefined;
  const uid = newUid(prefixes.featureMaterialisation);
  await sql`
    insert into feature_materialisation (uid, feature_version_id, workspace_uid, mode, state, dataset_revision,
      told_until, started_at, beat_at)
    values (${uid}, ${version.id}, ${version.workspace}, ${since ? 'incremental' : 'full'}, 'running',
      ${version.datasetRevision}, ${at}, ${at}, ${at})
  `.execute(database);
  return {
    uid,
    mode: since ? 'incremental' : 'full',
    revision: version.datasetRevision,
    until: at,
    since: since && { revision: since.revision, until: since.until },
  };
}

/** Schedules the materialisation of a version. */
export async function planMaterialisation(
  em: Em,
  { versionId, workspace, now }: { versionId: number; workspace: string; now: Date },
): Promise<void> {
  const at = now.toISOString();
  await sql`
    insert into feature_materialisation (uid, feature_version_id, workspace_uid, mode, state, dataset_revision,
      told_until, started_at, beat_at)
    values (${newUid(prefixes.featureMaterialisation)}, ${versionId}, ${workspace}, 'full', 'planned', 0,
      ${at}, ${at}, ${at})
  `.execute(em.getKysely());
}

export type Progress = { total: number; done: number; written: number };

/**
 * Records the progress of a materialisation, with a heartbeat. Returns false if the materialisation was
 * marked as failed; the caller must then stop writing. The row stays locked until the end of the transaction,
 * so that two processes never write at the same time.
 */
export async function noteMaterialisation(
  em: Em,
  uid: string,
  { total, done, written }: Progress,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update feature_materialisation
    set entities_total = ${total}, entities_done = ${done}, rows_written = ${written}, beat_at = ${now.toISOString()}
    where uid = ${uid} and state = 'running'
  `.execute(em.getKysely());
  return numAffectedRows === 1n;
}

/** Ends a materialisation, with the counts of the version or with an error. */
export async function endMaterialisation(
  em: Em,
  { uid, versionId, problem, now }: { uid: string; versionId: number; problem?: string; now: Date },
): Promise<void> {
  const at = now.toISOString();
  if (problem !== undefined) {
    await sql`
      update feature_materialisation set state = 'failed', problem = ${problem}, finished_at = ${at}
      where uid = ${uid} and state = 'running'
    `.execute(em.getKysely());
    return;
  }
  await sql`
    update feature_materialisation set state = 'succeeded', finished_at = ${at}, values_held = held.count,
      entities_held = held.entities, first_event = held.first, last_event = held.last,
      values_revision = held.revision
    from (
      select count(*) as count, count(distinct entity) as entities, min(event_time) as first, max(event_time) as last,
        coalesce(max(revision), 0)::integer as revision
      from feature_value where feature_version_id = ${versionId}
    ) held
    where uid = ${uid} and state = 'running'
  `.execute(em.getKysely());
}
