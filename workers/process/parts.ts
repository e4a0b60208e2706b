import type { Part, QueueName } from '#lib/core/run.ts';
import { inTenant } from '#lib/database/orm.ts';
import { enqueueParts, type TicketDelivery } from '#lib/pipeline/queue.ts';
import { missingParts, uncountAttempt } from '#lib/pipeline/run-part.write.ts';
import type { WorkerServices } from './worker-services.ts';

/**
 * Queues the parts that are not computed yet, for any worker, and lets the current delivery wait until they
 * are done. Returns false if all parts are done. If the queue is unreachable, the scheduler dispatches the
 * run again.
 */
export async function enqueueRunParts(
  { orm, queues, log }: WorkerServices,
  delivery: TicketDelivery,
  { token, parts, queue }: { token: string; parts: readonly Part[]; queue: QueueName },
): Promise<boolean> {
  const { data: ticket } = delivery;
  const missing = () => inTenant(orm, ticket, (em) => missingParts(em, ticket.uid, parts));
  let wanted = await missing();
  if (wanted.length === 0) return false;
  try {
    await enqueueParts(queues[queue]!, delivery, wanted);
    while (!(await delivery.moveToWaitingChildren(token))) {
      wanted = await missing();
      if (wanted.length === 0) return false;
      await enqueueParts(queues[queue]!, delivery, wanted);
    }
  } catch (error) {
    log.warn(
      { err: error, run: ticket.uid },
      'the queue is unreachable; the scheduler will dispatch the run',
    );
    return true;
  }
  // Every start but the first is counted, so that a run whose parts are lost repeatedly reaches the maximum
  // number of starts.
  if (delivery.attemptsStarted === 1) await inTenant(orm, ticket, (em) => uncountAttempt(em, ticket.uid));
  return true;
}

/** Returns the number of samples in all parts of a run. */
export function samplesOf(parts: readonly Part[]): number {
  return parts.reduce((total, { count }) => total + count, 0);
}
