import type { Backend } from './backends.ts';

/** Stops processes of a backend while `work` runs, so that runs which are submitted meanwhile stay open. */
export async function whileStopped<T>(
  backend: Backend,
  parts: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const pids = parts.map((part) => backend.pid(part)!);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}
