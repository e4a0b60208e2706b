import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { accepts } from './accepts.ts';

/** A router of tests: HAProxy with a configuration file. */
export type Router = { stop(): Promise<void> };

/** Where Debian installs HAProxy. It is not in the path of every user. */
const PROGRAM = '/usr/sbin/haproxy';
const STARTS = 100;
const START_MS = 100;

/** Whether HAProxy is installed. */
export function haproxyIsThere(): boolean {
  return spawnSync(PROGRAM, ['-v']).status === 0;
}

/** Returns what HAProxy says about a configuration file; an empty text if it accepts the file. */
export function faultsOfConfiguration(file: string): string {
  const { status, stderr } = spawnSync(PROGRAM, ['-c', '-f', file], { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

/** Starts HAProxy in the foreground and waits until it accepts connections at the port. */
export async function startRouter(file: string, port: number): Promise<Router> {
  const child = spawn(PROGRAM, ['-db', '-f', file], { stdio: 'ignore' });
  const router = {
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
  for (let turn = 0; turn < STARTS && child.exitCode === null; turn += 1) {
    if (await accepts(port)) return router;
    await delay(START_MS);
  }
  await router.stop();
  throw new Error('HAProxy did not start');
}
