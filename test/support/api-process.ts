import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { roleUrl } from '#lib/database/roles.ts';
import type { Backend } from './backends.ts';
import { ASK, type LoopReport } from './loop-report.ts';
import { patientLimits } from './patience.ts';

export type ApiProcess = {
  url: string;
  pid: number;
  /**
   * Returns how long the event loop was blocked since the last call. Requires a process that was started with
   * `watchesLoop`.
   */
  loop(): Promise<LoopReport>;
  kill(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts one more API process on the database and the queue of a backend. */
export async function startApi(
  backend: Pick<Backend, 'ownerUrl' | 'redis'>,
  variables: Record<string, string> = {},
  { watchesLoop = false } = {},
): Promise<ApiProcess> {
  const child = fork(new URL('../../api/process/server.ts', import.meta.url), {
    execArgv: [
      ...process.execArgv,
      ...(watchesLoop ? ['--import', new URL('loop-watch.ts', import.meta.url).href] : []),
    ],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: roleUrl(backend.ownerUrl, 'api'),
      REDIS_URL: backend.redis?.url ?? '',
      PORT: '0',
      OPS_PORT: '0',
      OPS_PASSWORD: 'ops-password-of-tests',
      VALIDATE_RESPONSES: 'true',
      LOG_LEVEL: 'warn',
      ...patientLimits,
      ...variables,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the API ended with ${code}`)));
    child.on('message', (message: { url?: string }) => message.url && resolve(message.url));
  });
  return {
    url,
    pid: child.pid!,
    loop: () => loopOf(child),
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  };
}

async function loopOf(child: ChildProcess): Promise<LoopReport> {
  child.send(ASK);
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ loop?: LoopReport }];
    if (message.loop) return message.loop;
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
