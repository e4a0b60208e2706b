import { sql } from 'kysely';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { Em } from '#lib/database/base.ts';
import { instant } from './as-of.repository.ts';

export const KEEP_YEARS_MOST = 200;

export type Retention = {
  datasetId: number;
  /** Null: everything, for ever. */
  keepYears: number | null;
  setAt: string | null;
};

export type OwnedDataset = { id: number; uid: string; kind: DatasetKind; workspace: string | null };

/**
 * The kinds whose observations may be let go: what is said of instruments and themes holds until something else is, and
 * a numeric dataset is one table, approved as a whole.
 */
export const retainedKinds: readonly DatasetKind[] = [
  'prices',
  'corporate_actions',
  'fundamentals',
  'economics',
  'metrics',
];

export async function findOwnedDataset(em: Em, uid: string): Promise<OwnedDataset | undefined> {
  const { rows } = await sql<OwnedDataset>`
    select id, uid, kind, workspace_uid as workspace from dataset where uid = ${uid}
  `.execute(em.getKysely());
  return rows[0];
}

/** How long the observations of a dataset are wanted: all of them, unless its owner has said otherwise. */
export async function retentionOf(em: Em, datasetId: number): Promise<Retention> {
  const { rows } = await sql<{ keep_years: number | null; set_at: string }>`
    select keep_years, ${instant(sql.ref('set_at'))} as set_at
    from dataset_retention where dataset_id = ${datasetId}
  `.execute(em.getKysely());
  return { datasetId, keepYears: rows[0]?.keep_years ?? null, setAt: rows[0]?.set_at ?? null };
}

/**
 * Says how many years of observations are wanted. What is older may be dropped: of prices with the partition that holds
 * it, of others by calendar years.
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
