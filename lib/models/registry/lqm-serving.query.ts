import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { LqmPurpose } from './lqm.ts';

/** A period in which one version of a model was the serving version. */
export type ServingPeriod = {
  purpose: LqmPurpose;
  versionUid: string;
  version: number;
  /** Start of the period, an instant in ISO 8601. `until` is its end; null while the version is the serving version. */
  since: string;
  until: string | null;
  setBy: string;
};

/** Returns the periods in which each version of a model of the tenant was the serving version, latest first. */
export async function servingPeriods(em: Em, model: string): Promise<ServingPeriod[]> {
  const { workspace, environment } = tenantOf(em);
  const iso = (column: string) =>
    sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const { rows } = await sql<ServingPeriod>`
    select p.purpose, v.uid as "versionUid", v.version, ${iso('p.since')} as since, ${iso('p.until')} as until,
      p.set_by_uid as "setBy"
    from (${periods(workspace, environment)}) p join lqm_version v on v.uid = p.version_uid
    where v.model_uid = ${model} and v.workspace_uid = ${workspace} and v.environment = ${environment}
    order by p.id desc
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns SQL that selects each history entry with the instant at which the next entry for the same purpose and model
 * replaced it.
 */
export function periods(workspace: string, environment: string) {
  return sql`
    select id, purpose, version_uid, since, set_by_uid, lead(since) over (partition by purpose, model_uid order by id) as until
    from lqm_serving where workspace_uid = ${workspace} and environment = ${environment}`;
}

/** Returns the period that contains the end of a day (UTC); undefined if there was no serving version then. */
export function servingAtEndOf(day: string, found: readonly ServingPeriod[]): ServingPeriod | undefined {
  const end = `${day}T23:59:59.999Z`;
  return found.find(({ since, until }) => since <= end && (until === null || until > end));
}
