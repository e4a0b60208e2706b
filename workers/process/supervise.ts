import type { Em } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { Ticket } from '#lib/pipeline/queue.ts';
import { noteProgress } from '#lib/pipeline/run.write.ts';
import type { ThreadRun } from './threads.ts';
import type { WorkerServices } from './worker-services.ts';

const BEAT_MS = 400;

/** Records the progress of a run, if it has changed. Returns false if the run is no longer running. */
export type NoteProgress = (em: Em, progress: number | undefined) => Promise<boolean>;

/**
 * Waits for the computation. Meanwhile it reports progress, listens for cancellation, and enforces the time
 * limit. At the end it counts the processor time of the thread. `note` records the progress of the thread; by default, it is the progress of the run.
 */
export async function supervise<T>(
  services: WorkerServices,
  ticket: Ticket,
  timeoutMs: number,
  thread: ThreadRun<T>,
  note: NoteProgress = (em, progress) => noteProgress(em, ticket.uid, progress),
): Promise<T | 'cancelled' | 'timed_out'> {
  let ended: 'cancelled' | 'timed_out' | undefined;
  const stop = (reason: 'cancelled' | 'timed_out') => {
    ended ??= reason;
    thread.cancel();
  };
  const limit = setTimeout(() => stop('timed_out'), timeoutMs);
  const forget = services.cancellations.once(ticket.uid, () => stop('cancelled'));
  let seen = 0;
  // The announcement of a cancellation can be lost, so each heartbeat also checks whether the run was
  // cancelled.
  const beat = setInterval(() => {
    const progress = thread.progress() === seen ? undefined : (seen = thread.progress());
    inTenant(services.orm, ticket, (em) => note(em, progress)).then(
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
    services.usage?.add(ticket, 'compute.cpu_seconds', thread.cpuUs());
  }
}
