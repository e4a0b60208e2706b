import { sql } from 'kysely';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';

/** Sets the next check of a run of the current tenant, now or shortly afterwards. */
export async function watchRun(em: Em, run: string, lookAt: Date): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into workflow_watch (run_uid, workspace_uid, environment, look_at)
    values (${run}, ${workspace}, ${environment}, ${lookAt})
    on conflict (run_uid) do update set look_at = excluded.look_at
  `.execute(em.getKysely());
}

export type WatchedRun = Tenant & { run: string };

/** Returns those runs that are due for a check, for all tenants, longest overdue first. */
export async function dueRuns(em: Em, { now, limit }: { now: Date; limit: number }): Promise<WatchedRun[]> {
  const { rows } = await sql<WatchedRun>`
    select run_uid as run, workspace_uid as workspace, environment from workflow_watch
    where look_at <= ${now} order by look_at, run_uid limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** Postpones the next check of a run of the current tenant, or ends the checks of the run. */
export async function postponeWatch(em: Em, run: string, lookAt: Date | null): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const own = sql`run_uid = ${run} and workspace_uid = ${workspace} and environment = ${environment}`;
  await (
    lookAt
      ? sql`update workflow_watch set look_at = ${lookAt} where ${own}`
      : sql`delete from workflow_watch where ${own}`
  ).execute(em.getKysely());
}
