import { createHash } from 'node:crypto';
import { Worker, type ConnectionOptions } from 'bullmq';
import { Pool } from 'pg';
import { inTenant, withClient, type Tenant } from './tenant.ts';

/** The BullMQ worker: marks a job as running, computes nothing, and stores the result with its hash. */
const { DATABASE_URL, REDIS_URL } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: 4 });
const START = `update job set state = 'running', attempts = attempts + 1, started_at = now()
  where uid = $1 and state in ('queued', 'running') returning input`;
const END = `update job set state = 'succeeded', finished_at = now(), result = $2, result_hash = $3
  where uid = $1 and state = 'running'`;

const worker = new Worker<{ uid: string; tenant: Tenant }>(
  'peer',
  async ({ data: { uid, tenant } }) => {
    const started = await withClient(pool, (client) =>
      inTenant(client, tenant, () => client.query(START, [uid])),
    );
    if (!started.rowCount) return;
    const text = JSON.stringify({ done: true });
    const hash = createHash('sha256').update(text).digest('hex');
    await withClient(pool, (client) =>
      inTenant(client, tenant, async () => {
        await client.query(END, [uid, text, hash]);
        await client.query(`select pg_notify('job_ended', $1)`, [uid]);
      }),
    );
  },
  { connection: { url: REDIS_URL, maxRetriesPerRequest: null } as ConnectionOptions, concurrency: 2 },
);
await worker.waitUntilReady();
process.send?.('ready');
process.once('SIGTERM', () => process.exit(0));
