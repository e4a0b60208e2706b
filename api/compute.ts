import { Piscina } from 'piscina';
import { Problem } from '#lib/core/problem.ts';

/** Computations that wait for the thread. A further one is refused. */
const QUEUE_MAX = 64;

let pool: Piscina | undefined;

/**
 * Runs the default export of a file in a thread, so that a read that computes does not keep other requests waiting.
 * The file is a pure function of one argument, which is copied. Refuses with 429 if too many computations wait.
 */
export async function computeInThread<Input, Output>(
  file: URL,
  input: Input,
  signal?: AbortSignal,
): Promise<Output> {
  pool ??= new Piscina({ minThreads: 0, maxThreads: 1, maxQueue: QUEUE_MAX, idleTimeout: 60_000 });
  if (pool.queueSize >= QUEUE_MAX)
    throw new Problem('too_many_waiting', 'Too many reads are being computed. Try again later.');
  return (await pool.run(input, { filename: file.href, ...(signal && { signal }) })) as Output;
}

/** Ends the thread. */
export async function closeComputing(): Promise<void> {
  await pool?.destroy();
  pool = undefined;
}
