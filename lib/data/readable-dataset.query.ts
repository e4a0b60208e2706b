import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import type { DatasetKind } from './dataset.entity.ts';

/** A dataset as it stands. */
export type ReadableDataset = {
  id: number;
  uid: string;
  name: string;
  isPlatform: boolean;
  /** Rows of later revisions are left out, so that all pages of a reading are of one state of the data. */
  revision: number;
  /** What it holds: less of it once old observations were let go. */
  rows: number;
};

/** The datasets of a kind that the tenant may read, in the order in which they answer: its own first, then the oldest. */
export async function readableDatasets(em: Em, kind: DatasetKind): Promise<ReadableDataset[]> {
  const { rows } = await sql<ReadableDataset>`
    select d.id, d.uid, d.name, d.workspace_uid is null as "isPlatform", d.revision, d.rows_held::float8 as rows
    from dataset d where d.kind = ${kind} order by d.workspace_uid is null, d.id
  `.execute(em.getKysely());
  return rows;
}

/** Another text whenever what the datasets answer may be another. */
export function stateOf(datasets: readonly ReadableDataset[]): string {
  return canonicalHash(datasets);
}
