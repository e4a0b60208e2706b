import runInThread, {
  CANCELLED,
  PROGRESS,
  PROGRESS_SCALE,
  type ThreadTask,
} from '#workers/process/thread.ts';
import { slowed } from './patience.ts';

/**
 * How long the thread computes before the real work begins, in milliseconds: several times the lock duration
 * of the tests.
 */
export const BURN_MS = slowed(5_000);

/**
 * Computes in a tight loop, like a long run, before the real work. The loop never yields to the event loop.
 * It checks for cancellation only in the memory that it shares with the main thread.
 */
export default function burnThenRun(task: ThreadTask): ReturnType<typeof runInThread> {
  const slots = new Int32Array(task.shared);
  const started = performance.now();
  for (let spent = 0; spent < BURN_MS; spent = performance.now() - started) {
    Atomics.store(slots, PROGRESS, Math.floor((spent / BURN_MS / 2) * PROGRESS_SCALE));
    if (Atomics.load(slots, CANCELLED) === 1) throw new DOMException('cancelled', 'AbortError');
  }
  return runInThread(task);
}
