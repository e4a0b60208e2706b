import { Piscina } from 'piscina';
import { Problem } from '#lib/core/problem.ts';

/** Computations that wait for the thread. A further one is refused. */
const QUEUE_MAX = 16;
/** The maximum wait for a computation in milliseconds, with its time in the queue. */
const DEADLINE_MS = 20_000;
/** The maximum heap of the thread in MiB. A computation that needs more fails alone. */
const MEMORY_MB = 1_024;

let pool: Piscina | undefined;

/**
 * Runs the default export of a file in a thread, so that a read that computes does not keep other requests waiting.
 * The file is a pure function of one argument, which is copied. Refuses with 429 if too many computations wait, and
 * with 422 if a computation takes too long.
 */
export async function computeInThread<Input, Output>(
  file: URL,
  input: Input,
  signal?: AbortSignal,
): Promise<Output> {
  pool ??= openPool();
  if (pool.queueSize >= QUEUE_MAX)
    throw new Problem('too_many_waiting', 'Too many reads are being computed. Try again later.');
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    const ended = signal ? AbortSignal.any([signal, deadline]) : deadline;
    return (await pool.run(input, { filename: file.href, signal: ended })) as Output;
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new Problem('too_large', `The computation did not end within ${DEADLINE_MS / 1_000} s.`);
  }
}

function openPool(): Piscina {
  const opened = new Piscina({
    minThreads: 0,
    maxThreads: 1,
    maxQueue: QUEUE_MAX,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // A thread that fails outside of a computation ends alone. Without a listener it would end the process.
  opened.on('error', () => undefined);
  return opened;
}

/** Ends the thread. */
export async function closeComputing(): Promise<void> {
  await pool?.destroy();
  pool = undefined;
}
