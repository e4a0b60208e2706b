import Koa from 'koa';
import { Pool, type PoolClient } from 'pg';
import { createLog } from '#lib/core/log.ts';
import { listen, urlOf } from '#lib/ops/listen.ts';

/** Reads the run with the hash of its result, without the result. */
const READ = `
  select run.*, run_result.result_hash from run
  left join run_result on run_result.run_uid = run.uid
  where run.uid = $1`;

/**
 * The minimal server that answers with a run of a tenant: one transaction with the settings of row-level
 * security, one read, and the row as JSON. No credential, no validation, no log.
 */
const { BARE_DATABASE_URL, BARE_POOL, BARE_WORKSPACE, BARE_ENVIRONMENT } = process.env;
const pool = new Pool({
  connectionString: BARE_DATABASE_URL,
  max: Number(BARE_POOL),
  application_name: 'bare',
});
const app = new Koa();
app.use(async (ctx) => {
  const client = await pool.connect();
  try {
    ctx.body = await read(client, ctx.path.slice(1));
  } finally {
    client.release();
  }
});
const server = await listen(app, {
  host: '127.0.0.1',
  port: 0,
  defaultPort: 0,
  log: createLog('bare', 'silent'),
});
process.send?.({ url: urlOf(server) });

async function read(client: PoolClient, uid: string): Promise<unknown> {
  await client.query('begin');
  await client.query(
    `select set_config('app.workspace', $1, true), set_config('app.environment', $2, true)`,
    [BARE_WORKSPACE, BARE_ENVIRONMENT],
  );
  const { rows } = await client.query(READ, [uid]);
  await client.query('commit');
  return rows[0];
}
