import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import type { DatasetKind } from './dataset.entity.ts';

/** A dataset in its current state. */
export type ReadableDataset = {
  id: number;
  uid: string;
  name: string;
  isPlatform: boolean;
  /**
   * The revision of the dataset. Rows of later revisions are left out, so that all pages of a list show the
   * same state of the data.
   */
  revision: number;
  /** The number of stored rows. It decreases when old observations are dropped. */
  rows: number;
};

/**
 * Lists those datasets of a kind that the tenant may read, in order of precedence: datasets of the workspace
 * first, then the oldest.
 */
export async function readableDatasets(em: Em, kind: DatasetKind): Promise<ReadableDataset[]> {
  const { rows } = await sql<ReadableDataset>`
    select d.id, d.uid, d.name, d.workspace_uid is null as "isPlatform", d.revision, d.rows_held::float8 as rows
    from dataset d where d.kind = ${kind} order by d.workspace_uid is null, d.id
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns a text that changes whenever the content of the datasets may have changed. Callers use this text as the
 * version of a list.
 */
export function stateOf(datasets: readonly ReadableDataset[]): string {
  return canonicalHash(datasets);
}
