import {
  Queue,
  Worker,
  createPostgresBackend,
  withBackend,
  type ConnectionOptions,
  type Processor,
  type WorkerOptions,
} from 'bullmq';
import { Cluster } from 'ioredis';
import { redisConnection } from '#lib/core/redis.ts';
import type { Part, QueueName } from '#lib/core/run.ts';
import type { Log } from '#lib/core/log.ts';
import { QUEUE_SCHEMA, type Tenant } from '#lib/database/base.ts';
import { QueueClient } from '#lib/database/queue-client.ts';
import type { TraceCarrier } from '#lib/core/tracing.ts';
import type { Admitted } from './admission.query.ts';

/**
 * The prefix of all keys of the queue. The prefix is a hash tag, which keeps all keys in one slot of a Redis Cluster.
 */
const PREFIX = '{assay}';
/** Time limit in milliseconds of a producer's command, so that an unresponsive Redis does not block submissions. */
const COMMAND_MS = 2_000;
/** Longest time in milliseconds for which PostgreSQL may send nothing while a statement of the queue runs. */
const SILENT_MS = 60_000;
/** BullMQ's largest priority number. Jobs with this number run last. */
const PRIORITY_MAX = 2_097_151;
/**
 * The number of deliveries after which BullMQ gives up a job. The number is so large that the queue never gives up a
 * job: the record of the run, and not the queue, determines when the run ends.
 */
const DELIVERIES_MAX = 1_000_000;
/** The number of completed jobs to which a queue is trimmed. */
const COMPLETED_MAX = 1_000;
/** The largest number of completed jobs that one call of `trimCompleted` removes. */
const TRIMMED_MAX = 10_000;
const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 15_000;

const alive = new Set(['waiting', 'active', 'delayed', 'prioritized', 'waiting-children', 'paused']);

/**
 * The content of a queue job: the tenant and uid of the run, the part of the run that the job computes, and the first
 * sample of the part's round. All other data is in the record of the run.
 */
export type Ticket = Tenant & { uid: string; trace?: TraceCarrier; part?: Part; roundFirst?: number };

export type QueueTarget = {
  /**
   * The `REDIS_URL` of the Redis that stores the queue. If undefined, PostgreSQL stores the queue.
   */
  redisUrl: string | undefined;
  databaseUrl: string;
  log: Log;
};

export type TicketQueue = Queue<Ticket, unknown, string>;
export type TicketProcessor = Processor<Ticket, unknown, string>;
export type TicketDelivery = Parameters<TicketProcessor>[0];

const postgres = withBackend(createPostgresBackend);

/**
 * Opens a queue for adding jobs. On Redis, a command fails at once while Redis is unreachable, instead of
 * waiting in memory.
 */
export function openQueue(name: QueueName, target: QueueTarget): TicketQueue {
  const queue = target.redisUrl
    ? openRedisQueue(name, target.redisUrl)
    : new postgres.Queue(name, { connection: postgresConnection(target.databaseUrl, 4) });
  queue.on('error', (error) => target.log.warn({ err: error, queue: name }, 'the queue reported an error'));
  return queue as unknown as TicketQueue;
}

function openRedisQueue(name: QueueName, url: string): Queue {
  const options = { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_MS };
  const connection = redisConnection(url, options);
  return endingWith(new Queue(name, { connection, prefix: PREFIX }), connection);
}

export type ConsumerOptions = { concurrency: number; lockMs: number };

/**
 * Opens a worker that processes the jobs of a queue. If the worker dies, another worker takes over its job
 * after at most twice the duration of the lock.
 */
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
    drainDelay: 1,
    autorun: false,
    settings: { backoffStrategy },
  };
  const worker = target.redisUrl
    ? openRedisWorker(name, processor, common, target.redisUrl)
    : new postgres.Worker(name, processor as never, {
        ...common,
        connection: postgresConnection(target.databaseUrl, options.concurrency + 3),
      });
  worker.on('error', (error) =>
    target.log.warn({ err: error, queue: name }, 'the queue worker reported an error'),
  );
  return worker;
}

function openRedisWorker(
  name: QueueName,
  processor: TicketProcessor,
  options: Omit<WorkerOptions, 'connection'>,
  url: string,
): Worker {
  const connection = redisConnection(url, { maxRetriesPerRequest: null });
  const removeOnComplete = { count: COMPLETED_MAX, age: 3_600 };
  const worker = new Worker(name, processor, { ...options, removeOnComplete, connection, prefix: PREFIX });
  return endingWith(worker, connection);
}

/**
 * Returns the given queue or worker, extended so that closing it also closes its cluster connection. BullMQ
 * does not close a connection that it did not create.
 */
function endingWith<T extends { close(): Promise<void> }>(user: T, connection: ConnectionOptions): T {
  if (!(connection instanceof Cluster)) return user;
  const close = user.close.bind(user);
  user.close = () => close().finally(() => connection.disconnect());
  return user;
}

/** Sends a small command to the queue. Throws if the queue is unreachable. */
export async function pingQueue(queue: TicketQueue): Promise<void> {
  await queue.getJobCounts('active');
}

/**
 * Dispatches an admitted run to its queue. Dispatching a run again creates no second queue job while the first exists.
 */
export async function enqueue(queue: TicketQueue, admitted: Admitted): Promise<void> {
  const { uid, workspace, environment, kind, tag, trace = {} } = admitted;
  await queue.add(
    kind,
    { uid, workspace, environment, trace },
    {
      jobId: uid,
      priority: priorityOf(tag),
      attempts: DELIVERIES_MAX,
      backoff: { type: 'doubling' },
      removeOnFail: { age: 7 * 86_400, count: 10_000 },
    },
  );
}

/**
 * Dispatches parts of a round of a run to its queue at once, as children of the queue job of the run. The jobs of the
 * parts are removed together with that job. If the queue gives up the job of a part, the job of the run continues.
 * Throws if the queue does not accept a part.
 */
export async function enqueueParts(
  queue: TicketQueue,
  parent: TicketDelivery,
  { parts, roundFirst }: { parts: readonly Part[]; roundFirst: number },
): Promise<void> {
  const added = await queue.addBulk(
    parts.map((part) => ({
      name: parent.name,
      data: { ...parent.data, part, roundFirst },
      opts: {
        jobId: `${parent.data.uid}-${part.first}-${part.count}`,
        parent: { id: parent.id!, queue: parent.queueQualifiedName },
        ...(parent.opts.priority === undefined ? {} : { priority: parent.opts.priority }),
        attempts: DELIVERIES_MAX,
        backoff: { type: 'doubling' },
        ignoreDependencyOnFailure: true,
        removeOnComplete: true,
        removeOnFail: true,
      },
    })),
  );
  // Both kinds of queue return a negative code as the id instead of throwing.
  const refused = added.find(({ id }) => Number(id) < 0);
  if (refused)
    throw new Error(`the queue did not accept the parts of run ${parent.data.uid} (${refused.id})`);
}

/**
 * Removes the oldest completed jobs of a queue that has too many of them, at most 10,000 at a time. On Redis, each
 * completion removes them. On PostgreSQL, the scheduler removes them, because counting the kept jobs takes longer than
 * completing a job.
 */
export async function trimCompleted(queue: TicketQueue): Promise<void> {
  const surplus = (await queue.getCompletedCount()) - COMPLETED_MAX;
  if (surplus > 0) await queue.clean(0, Math.min(surplus, TRIMMED_MAX), 'completed');
}

/** Dispatches all admitted runs. Runs that the queue does not accept are dispatched by the scheduler later. */
export async function enqueueAdmitted(
  queues: Readonly<Partial<Record<QueueName, TicketQueue>>>,
  admitted: readonly Admitted[],
  log: Log,
): Promise<void> {
  for (const run of admitted) {
    const queue = queues[run.queue];
    if (!queue) continue;
    await enqueue(queue, run).catch((error: unknown) =>
      log.warn({ err: error, run: run.uid }, 'the queue is unreachable; the scheduler will dispatch the run'),
    );
  }
}

/**
 * Returns the pause before the next delivery, in milliseconds: half a second after the first failed delivery, then
 * doubled each time, up to 15 s.
 */
export function backoffStrategy(deliveries: number): number {
  return Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** Math.min(deliveries - 1, 10));
}

/** Whether a queue job in this state is being processed or will still be delivered. */
export function isAlive(jobState: string): boolean {
  return alive.has(jobState);
}

/**
 * Dispatches an admitted run again unless it has a live queue job. Returns whether the run was dispatched, and the
 * state of its queue job (`unknown` if it had no queue job). A second dispatch has no effect, because a run is sealed
 * once.
 */
export async function redispatch(
  queue: TicketQueue,
  run: Admitted,
): Promise<{ handedOver: boolean; found: string }> {
  const found = await queue.getJobState(run.uid);
  if (isAlive(found)) return { handedOver: false, found };
  await queue.remove(run.uid);
  await enqueue(queue, run);
  return { handedOver: true, found };
}

/**
 * Returns the queue priority of a tag. Tags start again from the beginning whenever no run is open, and are renumbered
 * before they reach the largest priority.
 */
export function priorityOf(tag: number): number {
  return Math.min(Math.max(1, tag), PRIORITY_MAX);
}

function postgresConnection(connectionString: string, max: number) {
  return {
    connectionString,
    schema: QUEUE_SCHEMA,
    max,
    skipMigrations: true,
    Client: QueueClient,
    silentMs: SILENT_MS,
    // A crash of the database may take jobs from the queue. As with Redis, they are dispatched or delivered again.
    options: '-c synchronous_commit=off',
  };
}
