import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Queue, type ConnectionOptions } from 'bullmq';
import Koa, { type Context } from 'koa';
import { Client, Pool, type PoolClient } from 'pg';
import { createLog } from '#lib/core/log.ts';
import { listen, urlOf } from '#lib/ops/listen.ts';
import { inTenant, withClient, type Tenant } from './tenant.ts';

/** The Koa server: creates a job and waits for its end, and reads a job. Each request finds its key first. */
const { DATABASE_URL, REDIS_URL } = process.env;
const WAIT_MS = 20_000;
const KEEP = { removeOnComplete: { age: 3_600, count: 1_000 } };
const KEY = 'select workspace, environment from api_key where key_hash = $1 and revoked_at is null';
const INSERT = `insert into job (uid, workspace, environment, kind, state, input, input_hash, created_at)
  values ($1, $2, $3, 'no_op', 'queued', $4, $5, $6)`;
const READ = `select uid, kind, state, input, input_hash, attempts, created_at, started_at, finished_at, result,
  result_hash from job where uid = $1`;

type Job = { state: string; result: unknown };

const pool = new Pool({ connectionString: DATABASE_URL, max: 10 });
const connection = { url: REDIS_URL, maxRetriesPerRequest: null } as ConnectionOptions;
const queue = new Queue('peer', { connection });
const listener = new Client({ connectionString: DATABASE_URL });
const ended = new EventEmitter().setMaxListeners(0);
await listener.connect();
await listener.query('listen job_ended');
listener.on('notification', ({ payload }) => ended.emit(payload!));

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function callerOf(client: PoolClient, header: string): Promise<Tenant | undefined> {
  const { rows } = await client.query<{ workspace: string; environment: string }>(KEY, [
    hashOf(header.slice('Bearer '.length)),
  ]);
  return rows[0] && [rows[0].workspace, rows[0].environment];
}

const find = (client: PoolClient, tenant: Tenant, uid: string) =>
  inTenant(client, tenant, async () => (await client.query<Job>(READ, [uid])).rows[0]);

async function read(ctx: Context): Promise<void> {
  await withClient(pool, async (client) => {
    const tenant = await callerOf(client, ctx.get('authorization'));
    const job = tenant && (await find(client, tenant, ctx.path.slice('/jobs/'.length)));
    if (!job) return void (ctx.status = tenant ? 404 : 401);
    const { result: _, ...shown } = job;
    ctx.body = shown;
  });
}

async function create(ctx: Context): Promise<void> {
  const uid = randomUUID();
  const notice = Promise.withResolvers<void>();
  ended.once(uid, notice.resolve);
  const tenant = await withClient(pool, async (client) => {
    const caller = await callerOf(client, ctx.get('authorization'));
    const text = JSON.stringify({});
    const values = [text, hashOf(text), new Date()];
    if (caller) await inTenant(client, caller, () => client.query(INSERT, [uid, ...caller, ...values]));
    return caller;
  });
  if (!tenant) return void (ctx.status = 401);
  await queue.add('no_op', { uid, tenant }, { jobId: uid, ...KEEP });
  await Promise.race([notice.promise, delay(WAIT_MS, undefined, { ref: false })]);
  ended.off(uid, notice.resolve);
  const job = await withClient(pool, (client) => find(client, tenant, uid));
  ctx.body = job;
  ctx.status = job?.state === 'succeeded' ? 201 : 202;
}

const app = new Koa();
app.use((ctx) => (ctx.method === 'GET' ? read(ctx) : create(ctx)));
const log = createLog('bench-koa', 'warn');
const server = await listen(app, { host: '127.0.0.1', port: 0, defaultPort: 0, log });
process.send?.({ url: urlOf(server) });
process.once('SIGTERM', () => process.exit(0));
