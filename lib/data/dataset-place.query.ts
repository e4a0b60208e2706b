import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { DatasetKind } from './dataset-kind.ts';

/** A dataset by one of its names. */
export type NamedDataset = { uid: string } | { id: number };

/** `workspace` is the owner; null for data that the platform offers. */
export type OwnedDataset = { id: number; uid: string; kind: DatasetKind; workspace: string | null };

export async function findOwnedDataset(em: Em, named: NamedDataset): Promise<OwnedDataset | undefined> {
  const condition = 'uid' in named ? sql`uid = ${named.uid}` : sql`id = ${named.id}`;
  const { rows } = await sql<OwnedDataset>`
    select id, uid, kind, workspace_uid as workspace from dataset where ${condition}
  `.execute(em.getKysely());
  return rows[0];
}

/** The workspace that owns a dataset; undefined if the dataset does not exist or is the platform's. */
export async function datasetPlace(em: Em, named: NamedDataset): Promise<{ workspace: string } | undefined> {
  const found = await findOwnedDataset(em, named);
  return found?.workspace ? { workspace: found.workspace } : undefined;
}

/** Locks a dataset as an import does, so that nothing is described or approved that is being replaced. */
export async function lockNamedDataset(em: Em, named: NamedDataset): Promise<OwnedDataset> {
  const found = (await findOwnedDataset(em, named))!;
  await sql`select from dataset where id = ${found.id} for no key update`.execute(em.getKysely());
  return found;
}
