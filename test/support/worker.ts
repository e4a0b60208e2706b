import { pino } from 'pino';
import { createAjv } from '#lib/core/ajv.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Log } from '#lib/core/log.ts';
import { openOrm, poolUse } from '#lib/database/orm.ts';
import { KEEPS_AFTER } from '#lib/database/statement-cache.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { openConsumer, openQueue } from '#lib/pipeline/queue.ts';
import { createProcessor } from '#workers/process/process.ts';
import type { Runners } from '#workers/process/runner.ts';
import { runners } from '#workers/runners.ts';
import { openThreads } from '#workers/process/threads.ts';
import type { Backend } from './backends.ts';

export type InnerWorker = {
  ownerUrl: string;
  redisUrl: string | undefined;
  runners: Runners;
  /** Entry of the threads that compute. */
  thread: URL;
  concurrency: number;
  lockMs: number;
  log?: Log;
};

/** Starts a numerics worker inside this process. Returns a function that ends the worker. */
export async function startInnerWorker(options: InnerWorker): Promise<() => Promise<void>> {
  const { concurrency, lockMs, redisUrl, log = pino({ level: 'silent' }) } = options;
  const databaseUrl = roleUrl(options.ownerUrl, 'worker');
  const orm = openOrm(databaseUrl, concurrency * 2 + 2, 'assay', { keepsAfter: KEEPS_AFTER });
  const threads = openThreads(concurrency, options.thread);
  const target = { redisUrl, databaseUrl, log };
  const numerics = openQueue('numerics', target);
  const cancellations = new Notices(databaseUrl, 'cancelled', log);
  await cancellations.open();
  const services = {
    orm,
    queues: { numerics },
    threads,
    cancellations,
    ajv: createAjv(),
    clock: systemClock,
    log,
    metrics: createMetrics(() => poolUse(orm)),
  };
  const consumer = openConsumer(
    'numerics',
    createProcessor({ runners: options.runners, ...services }),
    { concurrency, lockMs },
    target,
  );
  await consumer.waitUntilReady();
  const running = consumer.run();
  return async () => {
    await consumer.close();
    await running;
    await numerics.close();
    await threads.close();
    await cancellations.close();
    await orm.close();
  };
}

/** Starts one of the product's numerics workers, whose threads run the given entry file of this folder. */
export function startWorker(
  backend: Backend,
  { lockMs, thread }: { lockMs: number; thread: string },
): Promise<() => Promise<void>> {
  return startInnerWorker({
    ownerUrl: backend.ownerUrl,
    redisUrl: backend.redis?.url,
    runners,
    thread: new URL(thread, import.meta.url),
    concurrency: 1,
    lockMs,
  });
}
