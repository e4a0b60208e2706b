import { Piscina } from 'piscina';
import type { InputOf, RunKind } from '#lib/core/run.ts';
import type { Divided } from './runner.ts';
import {
  CANCELLED,
  CPU_S,
  CPU_US,
  PROGRESS,
  PROGRESS_SCALE,
  type RoundParts,
  type ThreadOutcome,
  type ThreadTask,
} from './thread.ts';

/** How long a cancelled thread may run before it is terminated, in milliseconds. */
const GRACE_MS = 300;

export type ThreadRun<T = ThreadOutcome> = {
  outcome: Promise<T>;
  progress(): number;
  /**
   * The processor time of the thread for this task, in microseconds. It is exact once the outcome is known; of a
   * terminated thread, it is what the thread had noted.
   */
  cpuUs(): number;
  /** Signals the computation to stop, and terminates its thread if the computation does not stop. */
  cancel(): void;
};

export type Threads = {
  /**
   * Runs the computation of a registered runner's file. Input and data never change within a divided run, so a thread
   * uses the same objects for all tasks that state the uid of this run.
   */
  run(
    compute: URL,
    input: InputOf<RunKind>,
    data: unknown,
    divided?: { uid?: string | undefined } & Divided,
  ): ThreadRun;
  /** Divides a round of a run by the function `divide` of a registered runner's file. */
  divide(compute: URL, input: InputOf<RunKind>, round: ThreadTask['round'] & object): ThreadRun<RoundParts>;
  close(): Promise<void>;
};

/**
 * Opens worker threads for computations, so that the main thread stays free to renew locks and to receive
 * cancellations.
 */
export function openThreads(count: number, entry = new URL('./thread.ts', import.meta.url)): Threads {
  const pool = new Piscina<ThreadTask, ThreadOutcome | RoundParts>({
    filename: entry.href,
    minThreads: Math.min(1, count),
    maxThreads: count,
    idleTimeout: 60_000,
  });
  const start = <T>(task: Omit<ThreadTask, 'shared'>): ThreadRun<T> => {
    const shared = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT);
    const slots = new Int32Array(shared);
    const abort = new AbortController();
    // The kind of task determines the type of its outcome, so the cast is safe.
    const outcome = pool.run({ ...task, shared }, { signal: abort.signal }) as Promise<T>;
    return {
      outcome,
      progress: () => Atomics.load(slots, PROGRESS) / PROGRESS_SCALE,
      cpuUs: () => Atomics.load(slots, CPU_S) * 1_000_000 + Atomics.load(slots, CPU_US),
      cancel() {
        Atomics.store(slots, CANCELLED, 1);
        const end = setTimeout(() => abort.abort(), GRACE_MS).unref();
        void outcome.catch(() => undefined).finally(() => clearTimeout(end));
      },
    };
  };
  return {
    run: (compute, input, data, divided) =>
      start({ compute: compute.href, input, data, divided, run: divided?.uid }),
    divide: (compute, input, round) => start({ compute: compute.href, input, data: undefined, round }),
    close: () => pool.destroy(),
  };
}
