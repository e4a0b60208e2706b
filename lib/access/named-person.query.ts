import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { PersonState } from './person.ts';

export type NamedPerson = { uid: string; name: string; state: PersonState };

/** Returns a person of a workspace; undefined if the workspace has no person with this uid. */
export async function namedPerson(em: Em, workspace: string, uid: string): Promise<NamedPerson | undefined> {
  const { rows } = await sql<NamedPerson>`
    select uid, name, state from person where workspace_uid = ${workspace} and uid = ${uid}
  `.execute(em.getKysely());
  return rows[0];
}

/** Returns the first owner of a workspace by uid, in any state; undefined if the workspace has no owner. */
export async function ownerOf(em: Em, workspace: string): Promise<string | undefined> {
  const { rows } = await sql<{ uid: string }>`
    select uid from person where workspace_uid = ${workspace} and 'owner' = any(roles) order by uid limit 1
  `.execute(em.getKysely());
  return rows[0]?.uid;
}
