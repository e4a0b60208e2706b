import { createAjv } from '#lib/core/ajv.ts';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { startHeartbeat } from '#lib/core/heartbeat.ts';
import { createLog } from '#lib/core/log.ts';
import { onShutdown } from '#lib/core/shutdown.ts';
import { openOrm } from '#lib/database/orm.ts';
import { databaseUrl } from '#lib/database/locate.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { isPeriodicKey } from '#lib/pipeline/periodic.ts';
import { openConsumer, openQueue, type TicketProcessor } from '#lib/pipeline/queue.ts';
import { createProcessor } from './process.ts';
import { housekeeping, kinds } from './runners.ts';
import { openThreads } from './threads.ts';

const config = readConfig();
const queue = config.WORKER_QUEUE;
const log = createLog(`worker-${queue}`, config.LOG_LEVEL);
const concurrency = queue === 'numerics' ? config.NUMERICS_CONCURRENCY : config.IO_CONCURRENCY;

const url = await databaseUrl(config, 'worker');
const orm = openOrm(url, concurrency * 2 + 2);
const target = { redisUrl: config.REDIS_URL, databaseUrl: url, log };
const ownQueue = openQueue(queue, target);
const threads = openThreads(concurrency);
const cancellations = new Notices(url, 'cancelled', log);
await cancellations.open();
const processRun = createProcessor({
  kinds,
  orm,
  queues: { [queue]: ownQueue },
  threads,
  cancellations,
  ajv: createAjv(),
  clock: systemClock,
  log,
});
const processor: TicketProcessor = (delivery, ...rest) =>
  isPeriodicKey(delivery.name) ? housekeeping[delivery.name](orm) : processRun(delivery, ...rest);
const consumer = openConsumer(queue, processor, { concurrency, lockMs: config.LOCK_MS }, target);
await consumer.waitUntilReady();
const running = consumer.run();
log.info({ concurrency, queue }, 'worker ready');
startHeartbeat(config.HEARTBEAT_FILE);
process.send?.('ready');

onShutdown(log, config.DRAIN_MS, async () => {
  await consumer.close();
  await running;
  await ownQueue.close();
  await threads.close();
  await cancellations.close();
  await orm.close();
});
