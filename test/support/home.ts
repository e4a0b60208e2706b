import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack, type Stack } from '#api/process/stack.ts';
import { readConfig } from '#lib/core/config.ts';
import { stop as stopServer } from '#lib/database/embedded/cluster.ts';
import { OPS_PASSWORD } from './backends.ts';
import { runCommand, type Printed } from './cli.ts';
import { patientLimits } from './patience.ts';

/** A home folder for one test. The first use creates an embedded PostgreSQL in the folder. */
export type Home = {
  folder: string;
  /** Starts all of Assay in this home. */
  start(log?: (line: string) => void): Promise<Stack>;
  /** Runs an operator's command on this home. */
  assay(...words: string[]): Promise<Printed>;
  /** Ends a running server and removes the folder. */
  remove(): Promise<void>;
};

export async function ownHome(): Promise<Home> {
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'assay-home-')));
  const folder = path.join(parent, 'home');
  const env = {
    ASSAY_HOME: folder,
    PORT: '0',
    OPS_PORT: '0',
    OPS_PASSWORD,
    DATABASE_URL: '',
    REDIS_URL: '',
    ...patientLimits,
  };
  return {
    folder,
    start: (log = () => {}) =>
      startStack({ config: readConfig(env), env, logDirectory: path.join(parent, 'logs'), notify: log }),
    assay: (...words) => runCommand(words, { PATH: process.env['PATH']!, ...env }),
    async remove() {
      await stopServer(folder);
      const data = await realpath(path.join(folder, 'postgres')).catch(() => parent);
      for (const each of new Set([data, parent])) await rm(each, { recursive: true, force: true });
    },
  };
}
