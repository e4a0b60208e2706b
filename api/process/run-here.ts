import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Tenant } from '#lib/database/base.ts';
import { Refusal } from '#lib/core/refusal.ts';

export type RunHere = (run: Tenant & { uid: string; kind: string }) => Promise<void>;

/**
 * Starts a worker process for the duration of `work`. The process executes runs whose records are committed,
 * and writes the outcomes to these records.
 */
export async function withRunner<T>(ownerUrl: string, work: (runHere: RunHere) => Promise<T>): Promise<T> {
  const entry = new URL('../../workers/process/run-here.ts', import.meta.url);
  const child = fork(entry, {
    stdio: ['ignore', 2, 2, 'ipc'],
    env: { ...process.env, DATABASE_URL: ownerUrl },
  });
  const ended = once(child, 'exit');
  try {
    await receive(child, 'ready');
    return await work(async (run) => {
      const over = receive(child, run.uid);
      child.send(run);
      await over;
    });
  } finally {
    if (child.connected) child.disconnect();
    await ended;
  }
}

function receive(child: ChildProcess, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Refusal('runner_ended', 'the process for the runs exited early'));
    const hear = (message: unknown) => {
      if (message !== expected) return;
      child.off('message', hear);
      child.off('exit', gone);
      resolve();
    };
    child.on('message', hear);
    child.once('exit', gone);
  });
}
