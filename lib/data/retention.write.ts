import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { instant } from './as-of.query.ts';

export type Retention = {
  datasetId: number;
  /** Years for which observations are kept; null to keep everything. */
  keepYears: number | null;
  setAt: string | null;
};

/** Returns the retention of a dataset. By default, everything is kept. */
export async function retentionOf(em: Em, uid: string): Promise<Retention | undefined> {
  const { rows } = await sql<Retention>`
    select d.id as "datasetId", r.keep_years as "keepYears", ${instant(sql.ref('r.set_at'))} as "setAt"
    from dataset d left join dataset_retention r on r.dataset_id = d.id where d.uid = ${uid}
  `.execute(em.getKysely());
  return rows[0];
}

/**
 * Sets how many years of observations a dataset keeps. Older rows may be dropped: prices by partition, other
 * observations by calendar year.
 */
export async function setRetention(
  em: Em,
  given: { datasetId: number; workspace: string; keepYears: number | null; setBy: string; now: Date },
): Promise<void> {
  const { datasetId, workspace, keepYears, setBy, now } = given;
  await sql`
    insert into dataset_retention (dataset_id, workspace_uid, keep_years, set_by_uid, set_at)
    values (${datasetId}, ${workspace}, ${keepYears}, ${setBy}, ${now.toISOString()})
    on conflict (dataset_id) do update
    set keep_years = excluded.keep_years, set_by_uid = excluded.set_by_uid, set_at = excluded.set_at
  `.execute(em.getKysely());
}
