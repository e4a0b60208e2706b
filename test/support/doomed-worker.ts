import { pino } from 'pino';
import { createAjv } from '#lib/core/ajv.ts';
import { systemClock, type Clock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { openOrm, poolUse } from '#lib/database/orm.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { openConsumer, openQueue, type TicketProcessor } from '#lib/pipeline/queue.ts';
import { createProcessor } from '#workers/process/process.ts';
import { runners } from '#workers/runners.ts';
import { openThreads, type Threads } from '#workers/process/threads.ts';

/** The points at which a doomed worker kills itself without any cleanup. */
export const points = ['computing', 'before the commit', 'before the acknowledgement'] as const;
export type Point = (typeof points)[number];

/** Entry of a worker that takes one run and dies at the point given as its argument. */
if (import.meta.main) await run(process.argv[2] as Point);

async function run(point: Point): Promise<void> {
  const config = readConfig();
  const databaseUrl = config.DATABASE_URL!;
  const log = pino({ level: 'silent' });
  const target = { redisUrl: config.REDIS_URL, databaseUrl, log };
  const cancellations = new Notices(databaseUrl, 'cancelled', log);
  await cancellations.open();
  const orm = openOrm(databaseUrl, 4);
  const processRun = createProcessor({
    runners,
    orm,
    queues: { numerics: openQueue('numerics', target) },
    threads: point === 'computing' ? dyingThreads() : openThreads(1),
    cancellations,
    ajv: createAjv(),
    clock: point === 'before the commit' ? dyingClock() : systemClock,
    log,
    metrics: createMetrics(() => poolUse(orm)),
  });
  const processor: TicketProcessor = async (...delivery) => {
    await processRun(...delivery);
    if (point === 'before the acknowledgement') die();
  };
  await openConsumer('numerics', processor, { concurrency: 1, lockMs: config.LOCK_MS }, target).run();
}

/** Returns threads that kill the worker while one of them is in its tight loop. */
function dyingThreads(): Threads {
  const threads = openThreads(1, new URL('./slow-thread.ts', import.meta.url));
  return {
    ...threads,
    run(...task) {
      const thread = threads.run(...task);
      setInterval(() => thread.progress() > 0 && die(), 1);
      return thread;
    },
  };
}

/**
 * Returns a clock that kills the worker at its second read. The clock is read when a run starts, and before
 * its result is written.
 */
function dyingClock(): Clock {
  let requested = 0;
  return { now: () => (++requested === 2 ? die() : systemClock.now()) };
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('still alive');
}
