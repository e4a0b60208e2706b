import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { placeOf } from '#lib/governance/command.ts';
import { Application } from './application.entity.ts';

/**
 * Returns the workspace and environment of an application; undefined if the application does not exist. For operators:
 * reads all workspaces.
 */
export async function placeOfApplication(em: Em, uid: string): Promise<Tenant | undefined> {
  return placeOf(await em.findOne(Application, { uid }, { filters: false }));
}

/** Returns the text of the refusal `application_unknown`. */
export function applicationUnknown({ application }: { application: string }): string {
  return `The application ${application} does not exist.`;
}

/** Returns the applications of a workspace in both environments, in order of creation. */
export function listApplications(em: Em, workspace: string): Promise<Application[]> {
  return em.find(Application, { workspaceUid: workspace }, { filters: false, orderBy: { uid: 'asc' } });
}

/** Returns the owner of an application. `uid` is the uid of the application, or of one of its keys or clients. */
export async function ownerOf(em: Em, uid: string): Promise<string | undefined> {
  const { rows } = await sql<{ owner: string }>`
    select owner_uid as owner from application where uid in (
      select ${uid} union select application_uid from credential where uid = ${uid}
      union select application_uid from oauth_client where uid = ${uid})`.execute(em.getKysely());
  return rows[0]?.owner;
}
