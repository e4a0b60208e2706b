import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { Em } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { ImportRefused } from './import-refused.ts';

export type LockedDataset = { id: number; uid: string; name: string; revision: number };

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

/**
 * Until the end of the transaction, locks the dataset of this kind and name that the workspace owns, so that imports
 * run one after another. A missing dataset is created, and the workspace gets an entitlement to it.
 */
export async function lockDataset(
  em: Em,
  wanted: { workspace: string; kind: DatasetKind; name: string; now: Date },
): Promise<LockedDataset> {
  const { workspace, kind, name, now } = wanted;
  if (!NAME.test(name)) {
    throw new ImportRefused(
      'invalid_dataset_name',
      'a dataset name must have 1 to 64 letters, digits and . _ -, and begin with a letter or digit',
    );
  }
  const known = await lockExisting(em, wanted);
  if (known) return known;
  const database = em.getKysely();
  const made = await sql<{ id: number }>`
    insert into dataset (uid, workspace_uid, kind, name, created_at)
    values (${newUid(prefixes.dataset)}, ${workspace}, ${kind}, ${name}, ${now.toISOString()})
    on conflict (workspace_uid, kind, name) do nothing
    returning id
  `.execute(database);
  if (made.rows[0]) {
    await sql`
      insert into dataset_entitlement (dataset_id, workspace_uid, granted_at)
      values (${made.rows[0].id}, ${workspace}, ${now.toISOString()})
    `.execute(database);
  }
  return (await lockExisting(em, wanted))!;
}

/**
 * Waits until no other import into the dataset of this kind and name is running, even if the dataset does not exist
 * yet. Holds the lock until the end of the transaction. Read the clock after this call, so that a later revision also
 * has a later time.
 */
export async function awaitDataset(
  em: Em,
  wanted: { workspace: string; kind: DatasetKind; name: string },
): Promise<void> {
  await acquireNamedLock(em, 'import', wanted.workspace, wanted.kind, wanted.name);
  await lockExisting(em, wanted);
}

/**
 * Locks an existing row. `for update` is not used, because a grant of an entitlement references the row and must not
 * wait for an import.
 */
async function lockExisting(
  em: Em,
  { workspace, kind, name }: { workspace: string; kind: DatasetKind; name: string },
): Promise<LockedDataset | undefined> {
  const { rows } = await sql<LockedDataset>`
    select id, uid, name, revision from dataset
    where workspace_uid = ${workspace} and kind = ${kind} and name = ${name}
    for no key update
  `.execute(em.getKysely());
  return rows[0];
}
