import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { readDeployment } from '#lib/infrastructure/deployment/deployment.query.ts';
import { returnUnusedMemory } from '#lib/core/heap.ts';
import { createLog, endOnCrash } from '#lib/core/log.ts';
import { onShutdown } from '#lib/core/shutdown.ts';
import { version } from '#lib/core/version.ts';
import { databaseUrl, directUrl, isPooled, keptStatements } from '#lib/database/locate.ts';
import { openOrm, poolUse } from '#lib/database/orm.ts';
import { idleLimitsMs, silenceLimitsMs, statementLimitsMs } from '#lib/database/time-limits.ts';
import { createHealth, healthRoutes } from '#lib/ops/health.ts';
import { closeServer, listen, urlOf } from '#lib/ops/listen.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { openRoutes } from '#lib/ops/server.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { openQueue, pingQueue } from '#lib/pipeline/queue.ts';
import { createApp } from './app.ts';
import { openAccess } from './access.ts';
import { catalog, ownTools } from '../catalog.ts';
import { closeComputing } from '../compute.ts';
import { API_PREFIX } from '../derive/router.ts';
import { oauthMetadata } from '../http/oauth-metadata.ts';
import { createChanges } from '../pages/changes.ts';
import { keySet } from '../pages/key-set.ts';
import { createOps } from './ops.ts';
import { createPages } from '../pages/pages.ts';
import { createRuns } from '../runs.ts';
import { verifyPage } from '../pages/verify-page.ts';

/** Addresses that only this machine can reach. */
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

const config = readConfig();
const log = createLog('api', config.LOG_LEVEL);
endOnCrash(log);
const deployment = readDeployment(config.DEPLOYMENT_FILE);
const draining = new AbortController();

const url = await databaseUrl(config, 'api');
const direct = await directUrl(config, 'api');
const connectionName = `assay api ${process.pid}`;
const orm = openOrm(url, config.DATABASE_POOL, connectionName, {
  ...keptStatements(config),
  statementMs: statementLimitsMs.apiRead,
  idleMs: idleLimitsMs.api,
  silentMs: silenceLimitsMs.api,
  connectionMs: config.DATABASE_WAIT_MS,
});
const target = { redisUrl: config.REDIS_URL, databaseUrl: direct, log };
const queues = { numerics: openQueue('numerics', target), io: openQueue('io', target) };
const endings = new Notices(direct, 'ended', log, connectionName);
await endings.open();

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
const health = createHealth({
  orm,
  queue: () => pingQueue(queues.numerics),
  isPooled: isPooled(config),
  notices: () => endings.isListening,
  isDraining: () => draining.signal.aborted,
});
const access = openAccess({ config, orm, log, metrics });
const corsOrigins = config.CORS_ORIGINS.split(',').filter((origin) => origin !== '');
const app = createApp({
  catalog,
  tools: ownTools,
  access: access.ofOperations,
  oauth: access.ofClients,
  shared: {
    orm,
    runs,
    clock: systemClock,
    deployment,
    providerWaitMs: config.QLM_PROVIDER_WAIT_S * 1_000,
    cursorSecret: new URL(url).password,
  },
  pages: [
    healthRoutes(health, { reasons: false }),
    oauthMetadata(API_PREFIX, config.PUBLIC_URL),
    keySet(orm),
    verifyPage(),
    createPages(catalog, version),
    createChanges(catalog),
  ],
  log,
  metrics,
  validateResponses: config.VALIDATE_RESPONSES,
  corsOrigins,
  mcpOrigins: {
    allowed: [...corsOrigins, ...(config.PUBLIC_URL === undefined ? [] : [config.PUBLIC_URL])],
    loopback: LOOPBACK.has(config.HOST),
  },
  publicUrl: config.PUBLIC_URL,
  trustProxy: config.TRUST_PROXY,
  rateFactor: config.RATE_LIMIT_FACTOR,
});
const servers: Server[] = [
  await listen(app, {
    host: config.HOST,
    port: config.PORT,
    defaultPort: 3000,
    requestMs: config.REQUEST_MS,
    log,
  }).catch(endWith),
];

// If PM2 runs several API processes on one machine, only instance 0 serves the operators' pages.
let opsUrl: string | undefined;
const opsPassword = config.OPS_PASSWORD ?? randomBytes(12).toString('base64url');
if (config.NODE_APP_INSTANCE === 0) {
  const ops = createOps(openRoutes(health, metrics), Object.values(queues), {
    password: opsPassword,
    rateFactor: config.RATE_LIMIT_FACTOR,
  });
  const where = { host: config.OPS_HOST, port: config.OPS_PORT, defaultPort: 3001, log };
  servers.push(await listen(ops, where).catch(endWith));
  opsUrl = urlOf(servers[1]!);
  if (!config.OPS_PASSWORD) process.stderr.write(`ops password (user ops): ${opsPassword}\n`);
}
log.info({ url: urlOf(servers[0]!), ops: opsUrl, operations: catalog.length }, 'api ready');
returnUnusedMemory();
process.send?.({ ready: true, url: urlOf(servers[0]!), opsUrl });
process.send?.('ready');

onShutdown(log, config.DRAIN_MS, async () => {
  draining.abort();
  await Promise.all(servers.map(closeServer));
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
  await endings.close();
  await access.close();
  await closeComputing();
  await orm.close();
});

/**
 * Exits with a one-sentence message and no stack trace, for faults that the operator has to resolve, such as
 * a port that is in use.
 */
function endWith(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
