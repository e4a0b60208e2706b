import {
  Queue,
  Worker,
  createPostgresBackend,
  withBackend,
  type Processor,
  type WorkerOptions,
} from 'bullmq';
import type { Job, QueueName } from '#lib/core/job.ts';
import type { Log } from '#lib/core/log.ts';
import { QUEUE_SCHEMA } from '#lib/database/base.ts';
import type { Tenant } from '#lib/database/orm.ts';

/** The hash tag keeps all keys in one slot of a Redis Cluster. */
const PREFIX = '{assay}';

/** What a queue job carries: where the record is. Everything else is in the record. */
export type Ticket = Tenant & { uid: string };

export type QueueTarget = {
  /** Carries the queue where it is set; PostgreSQL does otherwise. */
  redisUrl: string | undefined;
  databaseUrl: string;
  log: Log;
};

export type TicketQueue = Queue<Ticket, unknown, string>;
export type TicketProcessor = Processor<Ticket, unknown, string>;

const postgres = withBackend(createPostgresBackend);

/** Opens the producing side. On Redis a command fails at once while Redis is away, instead of waiting in memory. */
export function openQueue(name: QueueName, target: QueueTarget): TicketQueue {
  const queue = target.redisUrl
    ? new Queue(name, {
        connection: { url: target.redisUrl, enableOfflineQueue: false, maxRetriesPerRequest: 1 },
        prefix: PREFIX,
      })
    : new postgres.Queue(name, { connection: postgresConnection(target.databaseUrl, 4) });
  queue.on('error', (error) => target.log.warn({ err: error, queue: name }, 'queue connection'));
  return queue as unknown as TicketQueue;
}

export type ConsumerOptions = { concurrency: number; lockMs: number };

/** Opens the consuming side. A dead worker's job is taken up again after at most twice the lock's duration. */
export function openConsumer(
  name: QueueName,
  processor: TicketProcessor,
  options: ConsumerOptions,
  target: QueueTarget,
) {
  const common: Omit<WorkerOptions, 'connection'> = {
    concurrency: options.concurrency,
    lockDuration: options.lockMs,
    stalledInterval: Math.max(500, Math.floor(options.lockMs / 2)),
    maxStalledCount: 5,
    runRetryDelay: 1_000,
    autorun: false,
  };
  const worker = target.redisUrl
    ? new Worker(name, processor, {
        ...common,
        connection: { url: target.redisUrl, maxRetriesPerRequest: null },
        prefix: PREFIX,
      })
    : new postgres.Worker(name, processor as never, {
        ...common,
        connection: postgresConnection(target.databaseUrl, options.concurrency + 3),
      });
  worker.on('error', (error) => target.log.warn({ err: error, queue: name }, 'worker connection'));
  return worker;
}

/** Hands a run to the queue. The same run twice is one queue job while the first is kept. */
export async function enqueue(queue: TicketQueue, job: Job, ticket: Ticket): Promise<void> {
  await queue.add(job.key, ticket, {
    jobId: ticket.uid,
    attempts: job.attempts,
    backoff: { type: 'exponential', delay: 1_000 },
    removeOnComplete: { age: 3_600, count: 1_000 },
    removeOnFail: { age: 7 * 86_400, count: 10_000 },
  });
}

function postgresConnection(connectionString: string, max: number) {
  return { connectionString, schema: QUEUE_SCHEMA, max, skipMigrations: true };
}
