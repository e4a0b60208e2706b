import { once } from 'node:events';
import { returnUnusedMemory } from '#lib/core/heap.ts';
import { startStack, unlessAborted, type Stack, type StackOptions } from './stack.ts';

/** The exit status of a command that a signal interrupted before its work was done, by shell convention. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;
/**
 * The maximum duration of a stop, in milliseconds. A run that is still computing after this time is computed
 * again at the next start.
 */
const DRAIN_MS_MAX = 6_000;

/**
 * Starts a stack, runs `prepare`, and stops the stack on Ctrl-C or SIGTERM. If `prepare` reports that there is nothing
 * to serve, the stack stops at once. A signal during the start or during `prepare` aborts the start and `prepare`, and
 * the process exits with the status of that signal. A second signal has no effect, because a terminal sends each signal
 * to the whole process group.
 */
export async function serveUntilInterrupted(
  options: Omit<StackOptions, 'interrupted'>,
  prepare: (stack: Stack) => Promise<boolean>,
): Promise<void> {
  const interruption = new AbortController();
  const { signal } = interruption;
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort(name));
  let stack: Stack | undefined;
  let isServing = false;
  try {
    const drainMs = Math.min(options.config.DRAIN_MS, DRAIN_MS_MAX);
    const env = { ...options.env, DRAIN_MS: String(drainMs) };
    stack = await startStack({ ...options, env, interrupted: signal });
    isServing = await unlessAborted(prepare(stack), signal);
    if (isServing && !signal.aborted) {
      returnUnusedMemory();
      await once(signal, 'abort');
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await stack?.stop();
  }
  if (signal.aborted && !isServing) process.exit(INTERRUPTED[signal.reason as keyof typeof INTERRUPTED]);
}
