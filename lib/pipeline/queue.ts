import {
  Queue,
  Worker,
  createPostgresBackend,
  withBackend,
  type ConnectionOptions,
  type Processor,
  type RedisOptions,
  type WorkerOptions,
} from 'bullmq';
import { Cluster } from 'ioredis';
import type { Part, QueueName } from '#lib/core/run.ts';
import type { Log } from '#lib/core/log.ts';
import { QUEUE_SCHEMA, type Tenant } from '#lib/database/base.ts';
import type { TraceCarrier } from '#lib/core/tracing.ts';
import type { Admitted } from './admission.query.ts';

/** The hash tag keeps all keys in one slot of a Redis Cluster. */
const PREFIX = '{assay}';
/** How long a command of the producing side may take: a Redis that hangs must not hang those who submit. */
const COMMAND_MS = 2_000;
/** BullMQ's largest priority number, which goes last. */
const PRIORITY_MAX = 2_097_151;
/** The queue itself never gives up: the record says when a run has ended. */
const DELIVERIES_MAX = 1_000_000;
const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 15_000;

const alive = new Set(['waiting', 'active', 'delayed', 'prioritized', 'waiting-children', 'paused']);

/** What a queue job carries: where the record is, and which part of its run it is for. Everything else is in the record. */
export type Ticket = Tenant & { uid: string; trace?: TraceCarrier; part?: Part };

export type QueueTarget = {
  /** Carries the queue where it is set; PostgreSQL does otherwise. Several URLs, by comma, are nodes of a cluster. */
  redisUrl: string | undefined;
  databaseUrl: string;
  log: Log;
};

export type TicketQueue = Queue<Ticket, unknown, string>;
export type TicketProcessor = Processor<Ticket, unknown, string>;
export type TicketDelivery = Parameters<TicketProcessor>[0];

const postgres = withBackend(createPostgresBackend);

/** Opens the producing side. On Redis a command fails at once while Redis is away, instead of waiting in memory. */
export function openQueue(name: QueueName, target: QueueTarget): TicketQueue {
  const queue = target.redisUrl
    ? openRedisQueue(name, target.redisUrl)
    : new postgres.Queue(name, { connection: postgresConnection(target.databaseUrl, 4) });
  queue.on('error', (error) => target.log.warn({ err: error, queue: name }, 'queue connection'));
  return queue as unknown as TicketQueue;
}

function openRedisQueue(name: QueueName, url: string): Queue {
  const options = { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: COMMAND_MS };
  const connection = redisConnection(url, options);
  return endingWith(new Queue(name, { connection, prefix: PREFIX }), connection);
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
  worker.on('error', (error) => target.log.warn({ err: error, queue: name }, 'worker connection'));
  return worker;
}

function openRedisWorker(
  name: QueueName,
  processor: TicketProcessor,
  options: Omit<WorkerOptions, 'connection'>,
  url: string,
): Worker {
  const connection = redisConnection(url, { maxRetriesPerRequest: null });
  return endingWith(new Worker(name, processor, { ...options, connection, prefix: PREFIX }), connection);
}

function redisConnection(url: string, options: RedisOptions): ConnectionOptions {
  const nodes = url.split(',');
  return nodes.length === 1 ? { url, ...options } : new Cluster(nodes, { redisOptions: options });
}

/** BullMQ leaves a connection that it was given open; with its only user it must end. */
function endingWith<T extends { close(): Promise<void> }>(user: T, connection: ConnectionOptions): T {
  if (!(connection instanceof Cluster)) return user;
  const close = user.close.bind(user);
  user.close = () => close().finally(() => connection.disconnect());
  return user;
}

/** Asks the queue for something small; throws when it is away. */
export async function pingQueue(queue: TicketQueue): Promise<void> {
  await queue.getJobCounts('active');
}

/** Hands an admitted run to its queue. The same run twice is one queue job while the first is kept. */
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
      removeOnComplete: { age: 3_600, count: 1_000 },
      removeOnFail: { age: 7 * 86_400, count: 10_000 },
    },
  );
}

/**
 * Hands parts of a run to its queue as children of the queue job that carries it, which go when it goes. A child that is
 * given up for lost lets its parent go on.
 */
export async function enqueueParts(
  queue: TicketQueue,
  parent: TicketDelivery,
  parts: readonly Part[],
): Promise<void> {
  for (const part of parts) {
    await queue.add(
      parent.name,
      { ...parent.data, part },
      {
        jobId: `${parent.data.uid}-${part.first}-${part.count}`,
        parent: { id: parent.id!, queue: parent.queueQualifiedName },
        ...(parent.opts.priority === undefined ? {} : { priority: parent.opts.priority }),
        attempts: DELIVERIES_MAX,
        backoff: { type: 'doubling' },
        ignoreDependencyOnFailure: true,
        removeOnComplete: true,
        removeOnFail: true,
      },
    );
  }
}

/** Hands all of them over. What the queue does not take, the scheduler dispatches later. */
export async function enqueueAdmitted(
  queues: Readonly<Partial<Record<QueueName, TicketQueue>>>,
  admitted: readonly Admitted[],
  log: Log,
): Promise<void> {
  for (const run of admitted) {
    const queue = queues[run.queue];
    if (!queue) continue;
    await enqueue(queue, run).catch((error: unknown) =>
      log.warn({ err: error, run: run.uid }, 'queue is away; the scheduler will dispatch the run'),
    );
  }
}

/** Half a second after the first failed delivery, then twice as long each time, up to 15 s. */
export function backoffStrategy(deliveries: number): number {
  return Math.min(BACKOFF_MS_MAX, BACKOFF_MS * 2 ** Math.min(deliveries - 1, 10));
}

/** Whether a queue job in this state will still be delivered, or is being worked on. */
export function isAlive(jobState: string): boolean {
  return alive.has(jobState);
}

/**
 * Hands an admitted run to its queue again unless a live queue job carries it. Returns whether it did, and the state
 * of the queue job that it found, `unknown` for none. Doing it twice is harmless: a run seals once.
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

/** Tags begin anew whenever nothing is open, and are set back before they reach the largest priority. */
export function priorityOf(tag: number): number {
  return Math.min(Math.max(1, tag), PRIORITY_MAX);
}

function postgresConnection(connectionString: string, max: number) {
  return { connectionString, schema: QUEUE_SCHEMA, max, skipMigrations: true };
}
