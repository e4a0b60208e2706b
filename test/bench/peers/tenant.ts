import type { Pool, PoolClient } from 'pg';

/** Workspace and environment of a caller of the peer. */
export type Tenant = readonly [workspace: string, environment: string];

/** Carries out `work` in one transaction with the settings of row-level security. */
export async function inTenant<T>(client: PoolClient, tenant: Tenant, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  await client.query(
    `select set_config('app.workspace', $1, true), set_config('app.environment', $2, true)`,
    [...tenant],
  );
  const answer = await work();
  await client.query('commit');
  return answer;
}

/** Carries out `work` with a connection of the pool. */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
