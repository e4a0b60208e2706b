import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { END, GRACE_MS, type Outcome, type Task } from './task.ts';

type Said = Outcome & { text: string };

/** A process that runs test files, one after the other. */
export type Member = {
  run(task: Task): Promise<Said>;
  /** Ends the process and its services once no files are left. */
  end(): Promise<Said>;
  hasEnded(): boolean;
  abandon(): Promise<void>;
};

const NOTHING: Outcome = { passed: 0, failed: 0, pending: 0, wallSeconds: 0, processorSeconds: 0 };

export function startMember(env: Record<string, string>): Member {
  const child = fork(new URL('child.ts', import.meta.url), {
    detached: true, // the runner can kill the whole process group
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { NODE_COMPILE_CACHE: path.resolve('.assay-test/compiled'), ...process.env, ...env },
  });
  let text = '';
  let onText = () => {};
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      onText();
    });
  }
  const closed = once(child, 'close');
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    killGroup(child); // child processes that survive a crash may hold the output open
    await closed;
    return { status: (signal ?? code) as string | number };
  });
  const take = () => {
    const taken = text.replace(END, '');
    text = '';
    return taken;
  };
  return {
    async run(task) {
      const answered = Promise.all([
        once(child, 'message').then(([outcome]) => outcome as Outcome),
        new Promise<void>((resolve) => {
          onText = () => text.includes(END) && resolve();
        }),
      ]);
      child.send(task);
      const first = await Promise.race([answered, ended]);
      if ('status' in first) {
        return {
          ...NOTHING,
          failed: 1,
          text: `${take()}\nthe process of the tests ended (${first.status})\n`,
        };
      }
      return { ...first[0], text: take() };
    },
    async end() {
      child.send('end');
      const last = once(child, 'message').then(([outcome]) => outcome as Outcome);
      const { status } = await ended;
      const outcome = await Promise.race([last, delay(0, NOTHING)]);
      return { ...outcome, failed: status === 0 ? 0 : 1, text: take() };
    },
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async abandon() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await Promise.race([ended, delay(GRACE_MS)]);
      killGroup(child);
    },
  };
}

function killGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
}
