import type { QueueName } from '#lib/core/run.ts';
import { createLog } from '#lib/core/log.ts';
import { handOver, openQueue, type TicketQueue } from '#lib/pipeline/queue.ts';
import type { Admitted } from '#lib/pipeline/admission.repository.ts';
import type { Operator } from './operator.ts';
import { Refusal } from '#lib/core/refusal.ts';

const ANSWER_MS = 5_000;

export type Queues = Record<QueueName, TicketQueue>;

/** Opens the queues with the operator's role for the length of `work`. What they complain about goes to stderr. */
export async function withQueues<T>(
  { config, databaseUrl }: Pick<Operator, 'config' | 'databaseUrl'>,
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

/** Hands runs to their queues, after the transaction that wrote them. */
export async function dispatch(operator: Operator, admitted: readonly Admitted[]): Promise<void> {
  const log = createLog('assay', 'error', process.stderr);
  await withQueues(operator, (queues) => handOver(queues, admitted, log));
}

/** A queue that does not answer refuses the command; it does not hang it. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Refusal('queue_away', 'the queue does not answer')), ANSWER_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
