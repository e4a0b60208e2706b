import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { DatasetKind } from './dataset-kind.ts';

/** A dataset identified by uid or id. */
export type NamedDataset = { uid: string } | { id: number };

/** A dataset with its owner. `workspace` is the owning workspace; null for a dataset of the platform. */
export type OwnedDataset = { id: number; uid: string; kind: DatasetKind; workspace: string | null };

export async function findOwnedDataset(em: Em, named: NamedDataset): Promise<OwnedDataset | undefined> {
  const condition = 'uid' in named ? sql`uid = ${named.uid}` : sql`id = ${named.id}`;
  const { rows } = await sql<OwnedDataset>`
    select id, uid, kind, workspace_uid as workspace from dataset where ${condition}
  `.execute(em.getKysely());
  return rows[0];
}

/** Returns the workspace that owns a dataset; undefined if the dataset does not exist or belongs to the platform. */
export async function datasetPlace(em: Em, named: NamedDataset): Promise<{ workspace: string } | undefined> {
  const found = await findOwnedDataset(em, named);
  return found?.workspace ? { workspace: found.workspace } : undefined;
}

/**
 * Locks a dataset with the same lock as an import, so that no import replaces the content while a person describes or
 * approves the dataset.
 */
export async function lockNamedDataset(em: Em, named: NamedDataset): Promise<OwnedDataset> {
  const found = (await findOwnedDataset(em, named))!;
  await sql`select from dataset where id = ${found.id} for no key update`.execute(em.getKysely());
  return found;
}
