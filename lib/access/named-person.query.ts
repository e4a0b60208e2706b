import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { PersonState } from './person.ts';

export type NamedPerson = { uid: string; name: string; state: PersonState };

/** A person of a workspace; undefined if the workspace has none by this uid. */
export async function namedPerson(em: Em, workspace: string, uid: string): Promise<NamedPerson | undefined> {
  const { rows } = await sql<NamedPerson>`
    select uid, name, state from person where workspace_uid = ${workspace} and uid = ${uid}
  `.execute(em.getKysely());
  return rows[0];
}

/** The owner of a workspace in any state, the first by uid; undefined where it has none. */
export async function ownerOf(em: Em, workspace: string): Promise<string | undefined> {
  const { rows } = await sql<{ uid: string }>`
    select uid from person where workspace_uid = ${workspace} and 'owner' = any(roles) order by uid limit 1
  `.execute(em.getKysely());
  return rows[0]?.uid;
}
