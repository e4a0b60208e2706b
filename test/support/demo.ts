import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { eventually } from './runs.ts';

/** The demo as a new user starts it, with data of its own. */
export type Demo = {
  /** The link that signs the owner of the sample workspace in to the console, once. */
  link: string;
  stop(): Promise<void>;
};

/** Starts the command `demo` in an empty folder, and waits until it has made its workspace. */
export async function startDemo(): Promise<Demo> {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), 'assay-demo-')));
  // If root runs the test, another account runs the server and must be able to reach the data.
  await chmod(home, 0o755);
  const main = new URL('../../api/cli/main.ts', import.meta.url).pathname;
  const ports = { PORT: '0', OPS_PORT: '0', CONSOLE_PORT: '0' };
  const child = spawn(process.execPath, [main, 'demo'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...ports,
      ASSAY_HOME: path.join(home, 'data'),
      DATABASE_URL: '',
      REDIS_URL: '',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(home, { recursive: true, force: true });
  };
  try {
    await eventually(async () => {
      expect(child.exitCode, output).to.equal(null);
      return output.includes('Ctrl-C ends.');
    }, 'the demo is up');
    const [, link] = /^(http:\S+\/console\/sign-in#\w+)$/m.exec(output) ?? [];
    expect(link, output).to.be.a('string');
    return { link: link!, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
