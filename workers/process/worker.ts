import { createAjv } from '#lib/core/ajv.ts';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { startHeartbeat } from '#lib/core/heartbeat.ts';
import { returnUnusedMemory } from '#lib/core/heap.ts';
import { createLog, endOnCrash } from '#lib/core/log.ts';
import { onShutdown } from '#lib/core/shutdown.ts';
import { openOrm, poolUse } from '#lib/database/orm.ts';
import { createHealth } from '#lib/ops/health.ts';
import { closeServer, urlOf } from '#lib/ops/listen.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { openUsageTally } from '#lib/ops/usage-tally.ts';
import { openOps } from '#lib/ops/server.ts';
import { databaseUrl, directUrl, isPooled, keptStatements } from '#lib/database/locate.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { isPeriodicKey } from '#lib/pipeline/periodic.ts';
import { idleLimitsMs, silenceLimitsMs, statementLimitsMs } from '#lib/database/time-limits.ts';
import { openConsumer, openQueue, pingQueue, type TicketProcessor } from '#lib/pipeline/queue.ts';
import { createProcessor } from './process.ts';
import { runners } from '../runners.ts';
import { openThreads } from './threads.ts';

const config = readConfig();
const queue = config.WORKER_QUEUE;
const log = createLog(`worker-${queue}`, config.LOG_LEVEL);
endOnCrash(log);
const concurrency = queue === 'numerics' ? config.NUMERICS_CONCURRENCY : config.IO_CONCURRENCY;

const url = await databaseUrl(config, 'worker');
const direct = await directUrl(config, 'worker');
const connectionName = `assay worker-${queue} ${process.pid}`;
const orm = openOrm(url, concurrency * 2 + 2, connectionName, {
  ...keptStatements(config),
  statementMs: statementLimitsMs.worker,
  idleMs: idleLimitsMs.worker,
  silentMs: silenceLimitsMs.worker,
});
const metrics = createMetrics(() => poolUse(orm));
const draining = new AbortController();
const target = { redisUrl: config.REDIS_URL, databaseUrl: direct, log };
const ownQueue = openQueue(queue, target);
const threads = openThreads(concurrency);
const usage = openUsageTally(orm, log, () => systemClock.now().getTime());
const cancellations = new Notices(direct, 'cancelled', log, connectionName);
await cancellations.open();
const processRun = createProcessor({
  runners,
  orm,
  queues: { [queue]: ownQueue },
  threads,
  cancellations,
  ajv: createAjv(),
  clock: systemClock,
  log,
  metrics,
  usage,
});
// A numerics worker does not load this code, which takes about 15 MB.
const openIo = async () => {
  const { openIoWork } = await import('../io-work.ts');
  return openIoWork({ config, orm, log }, { url, direct, name: connectionName });
};
const io = queue === 'io' ? await openIo() : undefined;
const processor: TicketProcessor = (delivery, ...rest) =>
  io && isPeriodicKey(delivery.name) ? io.doPeriodic(delivery.name) : processRun(delivery, ...rest);
const consumer = openConsumer(queue, processor, { concurrency, lockMs: config.LOCK_MS }, target);
consumer.on('stalled', () => metrics.jobStalled.inc({ queue }));
await consumer.waitUntilReady();
const running = consumer.run();
const health = createHealth({
  orm,
  queue: () => pingQueue(ownQueue),
  isPooled: isPooled(config),
  notices: () => cancellations.isListening,
  isDraining: () => draining.signal.aborted,
});
const ops = await openOps({ config, defaultPort: 3002, health, metrics, log });
log.info({ concurrency, queue, ops: urlOf(ops) }, 'worker ready');
startHeartbeat(config.HEARTBEAT_FILE);
returnUnusedMemory();
process.send?.({ ready: true, opsUrl: urlOf(ops) });
process.send?.('ready');

onShutdown(log, config.DRAIN_MS, async () => {
  draining.abort();
  await consumer.close();
  await running;
  await ownQueue.close();
  await threads.close();
  await usage.close();
  await io?.close();
  await cancellations.close();
  await closeServer(ops);
  await orm.close();
});
