import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { isOfTenant } from './run-record.query.ts';
import type { RunState } from './run.ts';

/** The state of a run, and its progress from 0 to 1. */
export type RunStateRow = { uid: string; state: RunState; progress: number };

/** Returns the states of those runs of a list that belong to the current tenant. */
export async function statesOfRuns(em: Em, uids: readonly string[]): Promise<RunStateRow[]> {
  const { rows } = await sql<RunStateRow>`
    select uid, state, progress::float8 as progress from run
    where uid = any(${[...uids]}::text[]) and ${isOfTenant(em)}
    order by uid
  `.execute(em.getKysely());
  return rows;
}
