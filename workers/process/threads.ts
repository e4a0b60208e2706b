import { Piscina } from 'piscina';
import type { InputOf, RunKind } from '#lib/core/run.ts';
import type { Divided } from './runner.ts';
import { CANCELLED, PROGRESS, PROGRESS_SCALE, type ThreadOutcome, type ThreadTask } from './thread.ts';

/** How long a thread may take to notice that it was cancelled before it is ended. */
const GRACE_MS = 300;

export type ThreadRun = {
  outcome: Promise<ThreadOutcome>;
  progress(): number;
  /** Asks the computation to stop, and ends its thread if it does not. */
  cancel(): void;
};

export type Threads = {
  /** Computes by a file that a registered runner names. */
  run(compute: URL, input: InputOf<RunKind>, data: unknown, divided?: Divided): ThreadRun;
  close(): Promise<void>;
};

/** Worker threads for computations, so that the main thread stays free to renew locks and to hear of cancellation. */
export function openThreads(count: number, entry = new URL('./thread.ts', import.meta.url)): Threads {
  const pool = new Piscina<ThreadTask, ThreadOutcome>({
    filename: entry.href,
    minThreads: Math.min(1, count),
    maxThreads: count,
    idleTimeout: 60_000,
  });
  return {
    run(compute, input, data, divided) {
      const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
      const slots = new Int32Array(shared);
      const abort = new AbortController();
      const drawn = divided?.drawn;
      const outcome = pool.run(
        { compute: compute.href, input, data, shared, divided },
        { signal: abort.signal, ...(drawn && { transferList: [drawn.buffer] }) },
      );
      return {
        outcome,
        progress: () => Atomics.load(slots, PROGRESS) / PROGRESS_SCALE,
        cancel() {
          Atomics.store(slots, CANCELLED, 1);
          const end = setTimeout(() => abort.abort(), GRACE_MS).unref();
          void outcome.catch(() => undefined).finally(() => clearTimeout(end));
        },
      };
    },
    close: () => pool.destroy(),
  };
}
