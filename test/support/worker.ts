import { pino } from 'pino';
import { createAjv } from '#lib/core/ajv.ts';
import { systemClock } from '#lib/core/clock.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { openConsumer, openQueue } from '#lib/pipeline/queue.ts';
import { createProcessor } from '#workers/process.ts';
import { kinds } from '#workers/runners.ts';
import { openThreads } from '#workers/threads.ts';
import type { Backend } from './backends.ts';

/**
 * A numerics worker inside the test's process whose threads begin with the given file of this folder; returns how to
 * end it.
 */
export async function startWorker(
  backend: Backend,
  { lockMs, thread }: { lockMs: number; thread: string },
): Promise<() => Promise<void>> {
  const log = pino({ level: 'silent' });
  const databaseUrl = roleUrl(backend.ownerUrl, 'worker');
  const orm = openOrm(databaseUrl, 6);
  const threads = openThreads(1, new URL(thread, import.meta.url));
  const target = { redisUrl: backend.redis?.url, databaseUrl, log };
  const numerics = openQueue('numerics', target);
  const cancellations = new Notices(databaseUrl, 'cancelled', log);
  await cancellations.open();
  const consumer = openConsumer(
    'numerics',
    createProcessor({
      kinds,
      orm,
      queues: { numerics },
      threads,
      cancellations,
      ajv: createAjv(),
      clock: systemClock,
      log,
    }),
    { concurrency: 1, lockMs },
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
