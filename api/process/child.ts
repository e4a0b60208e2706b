import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs one task, such as a computation with the worker's role, in a child process. Passes on the messages of
 * the child process until it ends. `entry` is a file relative to the root of the code.
 */
export async function runToEnd(
  entry: string,
  words: readonly string[],
  hear: (message: unknown) => void,
): Promise<void> {
  const child = fork(new URL(`../../${entry}`, import.meta.url), words, { stdio: ['ignore', 2, 2, 'ipc'] });
  child.on('message', hear);
  await once(child, 'exit');
}
