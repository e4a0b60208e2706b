import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { RunState } from './run.ts';

/** The state of a run, and its progress from 0 to 1. */
export type RunStateRow = { uid: string; state: RunState; progress: number };

/** Returns the states of those runs of a list that belong to the current tenant. */
export async function statesOfRuns(em: Em, uids: readonly string[]): Promise<RunStateRow[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<RunStateRow>`
    select uid, state, progress::float8 as progress from run
    where uid = any(${[...uids]}::text[]) and workspace_uid = ${workspace} and environment = ${environment}
    order by uid
  `.execute(em.getKysely());
  return rows;
}
