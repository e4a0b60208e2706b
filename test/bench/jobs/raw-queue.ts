import { setTimeout as delay } from 'node:timers/promises';
import {
  Queue,
  QueueEvents,
  Worker,
  createPostgresBackend,
  withBackend,
  type ConnectionOptions,
} from 'bullmq';
import { QUEUE_SCHEMA } from '#lib/database/base.ts';
import { turnsPerSecond } from '../load.ts';

/**
 * The time after which a job counts as lost. On PostgreSQL two completions can deadlock, and the losing job
 * is retried half a minute later.
 */
const LOST_MS = 1_000;
const NAME = 'bench-raw';
/** The retention of completed jobs on Redis, as in the product. On PostgreSQL, a completion removes no jobs. */
const KEEP = { removeOnComplete: { age: 3_600, count: 1_000 } };

export type RawQueue = {
  /**
   * Measures jobs per second when each lane repeatedly adds a job and waits until the worker has completed
   * it.
   */
  jobsPerSecond(lanes: number, forMs: number): Promise<number>;
  close(): Promise<void>;
};

/**
 * Opens bare BullMQ with a processor that does nothing. On Redis each lane waits with
 * `job.waitUntilFinished`, the usual way. PostgreSQL does not deliver all queue events, so there each lane
 * waits for an event of the worker itself, which is possible only in the worker's process.
 */
export async function openRawQueue(where: {
  redisUrl: string | undefined;
  databaseUrl: string;
  concurrency: number;
}): Promise<RawQueue> {
  const isRedis = where.redisUrl !== undefined;
  // The two backends have the same interface, but their types do not declare it.
  const bullmq = (isRedis ? { Queue, Worker } : withBackend(createPostgresBackend)) as {
    Queue: typeof Queue;
    Worker: typeof Worker;
  };
  const options = {
    connection: (isRedis
      ? { url: where.redisUrl, maxRetriesPerRequest: null }
      : {
          connectionString: where.databaseUrl,
          schema: QUEUE_SCHEMA,
          max: 8,
          skipMigrations: true,
        }) as ConnectionOptions,
    ...(isRedis ? { prefix: '{assay}' } : {}),
  };
  const queue = new bullmq.Queue(NAME, options);
  // Each waiting lane adds a listener to the queue, and Node warns from eleven listeners on.
  queue.setMaxListeners(0);
  const worker = new bullmq.Worker(NAME, async () => null, { ...options, concurrency: where.concurrency });
  const events = isRedis ? new QueueEvents(NAME, options) : undefined;
  const waiting = new Map<string, () => void>();
  worker.on('completed', (job) => waiting.get(job.id!)?.());
  await Promise.all([worker.waitUntilReady(), events?.waitUntilReady()]);
  let count = 0;

  async function addAndWait(): Promise<void> {
    const jobId = `raw_${process.pid}_${count++}`;
    const completed = new Promise<void>((resolve) => waiting.set(jobId, resolve));
    const job = await queue.add('no-op', {}, { jobId, ...(isRedis && KEEP) });
    await (events ? job.waitUntilFinished(events) : Promise.race([completed, delay(LOST_MS)]));
    waiting.delete(jobId);
  }

  return {
    jobsPerSecond: (lanes, forMs) => turnsPerSecond(lanes, forMs, addAndWait),
    async close() {
      await worker.close();
      await events?.close();
      await queue.close();
    },
  };
}
