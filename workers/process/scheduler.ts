import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '#lib/core/config.ts';
import { startHeartbeat } from '#lib/core/heartbeat.ts';
import { returnUnusedMemory } from '#lib/core/heap.ts';
import { createLog, endOnCrash } from '#lib/core/log.ts';
import { onShutdown } from '#lib/core/shutdown.ts';
import { databaseUrl, directUrl, isPooled, keptStatements } from '#lib/database/locate.ts';
import { openOrm, poolUse } from '#lib/database/orm.ts';
import { idleLimitsMs, silenceLimitsMs, statementLimitsMs } from '#lib/database/time-limits.ts';
import { createHealth } from '#lib/ops/health.ts';
import { closeServer, urlOf } from '#lib/ops/listen.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { openOps } from '#lib/ops/server.ts';
import { periodic } from '#lib/pipeline/periodic.ts';
import { openQueue, pingQueue, trimCompleted } from '#lib/pipeline/queue.ts';
import { gaugeQueues } from './gauge-queues.ts';
import { rebaseTags } from './rebase-tags.ts';
import { sweep } from './sweep.ts';

const config = readConfig();
const log = createLog('scheduler', config.LOG_LEVEL);
endOnCrash(log);
const url = await databaseUrl(config, 'worker');
const direct = await directUrl(config, 'worker');
const orm = openOrm(url, 2, `assay scheduler ${process.pid}`, {
  ...keptStatements(config),
  statementMs: statementLimitsMs.housekeeping,
  idleMs: idleLimitsMs.worker,
  silentMs: silenceLimitsMs.housekeeping,
});
const target = { redisUrl: config.REDIS_URL, databaseUrl: direct, log };
const queues = { numerics: openQueue('numerics', target), io: openQueue('io', target) };
const stop = new AbortController();

const metrics = createMetrics(() => poolUse(orm));
gaugeQueues(metrics, orm, queues, log);
const health = createHealth({
  orm,
  queue: () => pingQueue(queues.numerics),
  isPooled: isPooled(config),
  notices: () => true,
  isDraining: () => stop.signal.aborted,
});
const ops = await openOps({ config, defaultPort: 3002, health, metrics, log });
log.info({ sweep_ms: config.SWEEP_MS, ops: urlOf(ops) }, 'scheduler ready');
startHeartbeat(config.HEARTBEAT_FILE);
returnUnusedMemory();
process.send?.({ ready: true, opsUrl: urlOf(ops) });
process.send?.('ready');
const running = run();

onShutdown(log, config.DRAIN_MS, async () => {
  stop.abort();
  await running;
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
  await closeServer(ops);
  await orm.close();
});

/** Runs passes until the process stops. A pass registers the periodic jobs again if the queue has lost one. */
async function run(): Promise<void> {
  let isRegistered = false;
  while (!stop.signal.aborted) {
    try {
      if (!isRegistered || (await queues.io.getJobSchedulersCount()) !== Object.keys(periodic).length)
        await registerPeriodic();
      isRegistered = true;
      metrics.dispatchedAgain.inc(await sweep(orm, queues, log));
      await rebaseTags(orm, queues);
      await trimQueues();
    } catch (error) {
      log.warn({ err: error }, 'the sweep failed; it will be repeated');
    }
    await delay(config.SWEEP_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

/** Removes surplus completed jobs from the queues. A queue that cannot be trimmed delays no other work of a pass. */
async function trimQueues(): Promise<void> {
  for (const [name, queue] of Object.entries(queues))
    await trimCompleted(queue).catch((error: unknown) =>
      log.warn(
        { err: error, queue: name },
        'the completed jobs could not be removed; the next pass will try again',
      ),
    );
}

/** Registers the periodic jobs. A job that is already registered keeps its next time. */
async function registerPeriodic(): Promise<void> {
  for (const [key, { everyMs }] of Object.entries(periodic)) {
    await queues.io.upsertJobScheduler(
      key,
      { every: everyMs },
      {
        name: key,
        data: {} as never,
        opts: { removeOnComplete: { count: 10 }, removeOnFail: { count: 100 } },
      },
    );
  }
}
