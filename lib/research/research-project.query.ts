import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { ProjectDefinition } from './project-definition.ts';

/** A project with one version of its definition. */
export type ProjectInVersion = {
  id: number;
  uid: string;
  name: string;
  createdAt: string;
  version: number;
  versionUid: string;
  definition: ProjectDefinition;
  definitionSha256: string;
  definedAt: string;
  definedByUid: string;
};

const columns = sql`p.id, p.uid, p.name, to_json(p.created_at)#>>'{}' as "createdAt", v.version, v.uid as "versionUid",
  v.definition, v.definition_sha256 as "definitionSha256", to_json(v.created_at)#>>'{}' as "definedAt",
  v.created_by_uid as "definedByUid"`;

/**
 * Finds a project of the tenant with the given or the newest version of its definition; undefined if the project or the
 * version does not exist.
 */
export async function findProject(
  em: Em,
  { id, version }: { id: number; version?: number },
): Promise<ProjectInVersion | undefined> {
  const { rows } = await sql<ProjectInVersion>`
    select ${columns} from research_project p join project_version v on v.project_id = p.id
    where p.id = ${id} and p.workspace_uid = ${tenantOf(em).workspace}
      and ${version === undefined ? sql`true` : sql`v.version = ${version}`}
    order by v.version desc limit 1
  `.execute(em.getKysely());
  return rows[0];
}

/** Whether a project of the tenant has this name. */
export async function isProjectName(em: Em, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from research_project where workspace_uid = ${tenantOf(em).workspace} and name = ${name}
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** Lists the projects of the tenant with their newest versions, newest project first. */
export async function listProjects(
  em: Em,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<ProjectInVersion[]> {
  const { rows } = await sql<ProjectInVersion>`
    select ${columns} from research_project p
    cross join lateral (
      select * from project_version v where v.project_id = p.id order by v.version desc limit 1
    ) v
    where p.workspace_uid = ${tenantOf(em).workspace}
      and ${after === undefined ? sql`true` : sql`p.uid < ${after}`}
    order by p.uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}
