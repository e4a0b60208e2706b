import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { RESEARCH_SNAPSHOTS } from './research-snapshots.schema.ts';

/** A snapshot of a project in one version of its definition. `sealed` is whether its run has a result. */
export type DatedSnapshot = {
  uid: string;
  project_id: number;
  project_version: number;
  as_of_date: string;
  sealed: boolean;
};

export type DaysQuestion = {
  id: number;
  version: number;
  from?: string | undefined;
  to?: string | undefined;
};

/** Returns the newest sealed snapshot for each day of a project in one version of its definition, ordered by day. */
export async function sealedDays(em: Em, { id, version, from, to }: DaysQuestion): Promise<DatedSnapshot[]> {
  const { rows } = await sql<DatedSnapshot>`
    select distinct on (as_of_date) * from (${snapshots(em)}) s
    where sealed and project_id = ${id} and project_version = ${version}
      and as_of_date between ${from ?? '0000-01-01'} and ${to ?? '9999-12-31'}
    order by as_of_date, uid desc
  `.execute(em.getKysely());
  return rows;
}

/** Returns the snapshots of the tenant with these uids, ordered by day. */
export async function namedSnapshots(em: Em, uids: readonly string[]): Promise<DatedSnapshot[]> {
  const { rows } = await sql<DatedSnapshot>`
    select * from (${snapshots(em)}) s where uid = any(${[...uids]}::text[]) order by as_of_date, uid
  `.execute(em.getKysely());
  return rows;
}

function snapshots(em: Em) {
  const { workspace, environment } = tenantOf(em);
  return sql`
    select r.uid, (r.input ->> 'project_id')::integer as project_id,
      (r.input ->> 'project_version')::integer as project_version, r.input ->> 'as_of_date' as as_of_date,
      exists (select from run_result s where s.run_uid = r.uid) as sealed
    from run r where r.kind = ${RESEARCH_SNAPSHOTS}
      and r.workspace_uid = ${workspace} and r.environment = ${environment}`;
}
