import { once } from 'node:events';
import { startStack, unlessAborted, type Stack, type StackOptions } from './stack.ts';

/** Status of a command that was interrupted before its work was done, by the convention of shells. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;
/** Stopping ends within a few seconds; a run that is still computing then is done again at the next start. */
const DRAIN_MS_MAX = 6_000;

/**
 * Starts a stack and stops it again: at once when `prepare` answers that nobody is to be served, else on Ctrl-C or
 * SIGTERM. A signal before that gives up the start or `prepare`, and the process ends with the status of that signal. A
 * terminal interrupts the whole process group, so a second signal changes nothing.
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
    if (isServing && !signal.aborted) await once(signal, 'abort');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await stack?.stop();
  }
  if (signal.aborted && !isServing) process.exit(INTERRUPTED[signal.reason as keyof typeof INTERRUPTED]);
}
