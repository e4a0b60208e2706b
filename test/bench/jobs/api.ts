import { openAccess } from '#api/process/access.ts';
import { createApp } from '#api/process/app.ts';
import { listen, urlOf } from '#lib/ops/listen.ts';
import { createRuns } from '#api/runs.ts';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { createLog } from '#lib/core/log.ts';
import { onShutdown } from '#lib/core/shutdown.ts';
import { openOrm, poolUse } from '#lib/database/orm.ts';
import { KEEPS_AFTER } from '#lib/database/statement-cache.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { openQueue } from '#lib/pipeline/queue.ts';
import { createNoOp, readNoOp } from './no-op.ts';

/**
 * Serves the product's API with a catalog that contains only the operations of the no-op run. `DATABASE_URL` contains the
 * role of the database's owner.
 */
const config = readConfig();
const log = createLog('bench-api', config.LOG_LEVEL);
const url = roleUrl(config.DATABASE_URL!, 'api');
const orm = openOrm(url, config.DATABASE_POOL, 'assay', { keepsAfter: KEEPS_AFTER });
const target = { redisUrl: config.REDIS_URL, databaseUrl: url, log };
const queues = { numerics: openQueue('numerics', target), io: openQueue('io', target) };
const endings = new Notices(url, 'ended', log);
await endings.open();
const draining = new AbortController();
const runs = createRuns({
  orm,
  queues,
  endings,
  clock: systemClock,
  log,
  waitMs: config.RUN_WAIT_MS,
  draining: draining.signal,
});
const metrics = createMetrics(() => poolUse(orm));
const access = openAccess({ config, orm, log, metrics });
const app = createApp({
  catalog: [createNoOp, readNoOp],
  access: access.ofOperations,
  oauth: access.ofClients,
  shared: { orm, runs, clock: systemClock, cursorSecret: 'of the bench' },
  pages: [],
  log,
  metrics,
  validateResponses: false,
});
const server = await listen(app, { host: '127.0.0.1', port: 0, defaultPort: 0, log });
process.send?.({ url: urlOf(server) });

onShutdown(log, config.DRAIN_MS, async () => {
  draining.abort();
  await new Promise((closed) => server.close(closed));
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
  await endings.close();
  access.close();
  await orm.close();
});
