import type { Config } from '#lib/core/config.ts';
import { createLog } from '#lib/core/log.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { QueueName } from '#lib/core/run.ts';
import type { Queries } from '#lib/database/queries.ts';
import { admitRuns, type Admitted } from './admission.query.ts';
import { enqueueAdmitted, openQueue, redispatch, type TicketQueue } from './queue.ts';
import type { Dispatch, Run } from './run.entity.ts';

const ANSWER_MS = 5_000;

export type Queues = Record<QueueName, TicketQueue>;

/**
 * The location of a deployment's queues. If the queues are in PostgreSQL, `databaseUrl` is used. It is the connection
 * URL of a database role.
 */
export type QueuePlace = { config: Config; databaseUrl: string };

/** Opens the queues while `work` runs. Their warnings are written to stderr. */
export async function withQueues<T>(
  { config, databaseUrl }: QueuePlace,
  work: (queues: Queues) => Promise<T>,
): Promise<T> {
  const log = createLog('assay', 'error', process.stderr);
  const target = { redisUrl: config.REDIS_URL, databaseUrl, log };
  const queues: Queues = { numerics: openQueue('numerics', target), io: openQueue('io', target) };
  try {
    return await work(queues);
  } finally {
    await Promise.allSettled(Object.values(queues).map((queue) => answered(queue.close())));
  }
}

/** Dispatches runs to their queues. Called after the commit of the transaction that wrote them. */
export async function dispatch(place: QueuePlace, admitted: readonly Admitted[]): Promise<void> {
  const log = createLog('assay', 'error', process.stderr);
  await withQueues(place, (queues) => enqueueAdmitted(queues, admitted, log));
}

/**
 * Does the scheduler's work for one run immediately: admits as many runs as the queue of its workspace allows, and
 * dispatches the run again if it has no live queue job. Returns whether the run was dispatched, and the state of its
 * queue job. The state is missing if the run still waits for admission.
 */
export async function retryRun(
  { query, ...place }: QueuePlace & { query: Queries },
  run: Run,
  { kind, queue, tag: known }: Dispatch,
): Promise<{ handedOver: boolean; found?: string }> {
  const { uid, environment } = run;
  const tenant = { workspace: run.workspaceUid, environment };
  const log = createLog('assay', 'warn', process.stderr);
  return withQueues(place, async (queues) => {
    if (!(queue in queues))
      throw new Refusal(
        'unknown_queue',
        `only a newer version of Assay knows the queue ${queue} of this run`,
      );
    const admitted = await query(tenant, admitRuns, queue, tenant.workspace);
    const tag = known ?? admitted.find((other) => other.uid === uid)?.tag;
    await answered(enqueueAdmitted(queues, admitted, log));
    if (tag === undefined) return { handedOver: false };
    return answered(redispatch(queues[queue], { ...tenant, uid, kind, queue, tag }));
  });
}

/** Limits the wait for the answer of a queue. Throws a refusal if the queue does not answer in time. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Refusal('queue_away', 'the queue does not answer')), ANSWER_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
