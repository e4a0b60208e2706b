import { inTenant } from '#lib/database/orm.ts';
import type { Ticket } from '#lib/pipeline/queue.ts';
import { noteProgress } from '#lib/pipeline/run.write.ts';
import type { ThreadOutcome } from './thread.ts';
import type { ThreadRun } from './threads.ts';
import type { WorkerServices } from './worker-services.ts';

const BEAT_MS = 400;

/**
 * Waits for the computation. Meanwhile it reports progress, listens for cancellation, and enforces the time
 * limit.
 */
export async function supervise(
  services: WorkerServices,
  ticket: Ticket,
  timeoutMs: number,
  thread: ThreadRun,
): Promise<ThreadOutcome | 'cancelled' | 'timed_out'> {
  let ended: 'cancelled' | 'timed_out' | undefined;
  const stop = (reason: 'cancelled' | 'timed_out') => {
    ended ??= reason;
    thread.cancel();
  };
  const limit = setTimeout(() => stop('timed_out'), timeoutMs);
  const forget = services.cancellations.once(ticket.uid, () => stop('cancelled'));
  let seen = 0;
  // A notice can be missed, so each heartbeat also checks whether the run was cancelled.
  const beat = setInterval(() => {
    const progress = thread.progress() === seen ? undefined : (seen = thread.progress());
    inTenant(services.orm, ticket, (em) => noteProgress(em, ticket.uid, progress)).then(
      (running) => running || stop('cancelled'),
      (error: unknown) =>
        services.log.warn({ err: error, run: ticket.uid }, 'the progress of the run could not be recorded'),
    );
  }, BEAT_MS);
  try {
    const outcome = await thread.outcome;
    return ended ?? outcome;
  } catch (error) {
    if (ended) return ended;
    throw error;
  } finally {
    clearTimeout(limit);
    clearInterval(beat);
    forget();
  }
}
