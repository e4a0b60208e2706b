import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

export type Child<Ready> = { ready: Ready; pid: number; stop(): Promise<void> };

/**
 * Starts a process of the bench and waits for its first message, which signals that it is ready. Its output
 * goes to a log file, like the output of the parts of a stack.
 */
export async function startChild<Ready>(
  entry: URL,
  log: string,
  env: Record<string, string>,
  words: readonly string[] = [],
): Promise<Child<Ready>> {
  mkdirSync(path.dirname(log), { recursive: true });
  const file = openSync(log, 'a', 0o600);
  const child = fork(entry, [...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', file, file, 'ipc'],
  });
  closeSync(file);
  const ended = once(child, 'exit');
  const ready = await Promise.race([
    once(child, 'message').then(([message]) => message as Ready),
    ended.then(([code, signal]) => {
      throw new Error(`${path.basename(entry.pathname)} did not start (${signal ?? code}); see ${log}`);
    }),
  ]);
  return {
    ready,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
