import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * Runs all tests in two processes side by side, each with backends of its own: the long stories of operators and
 * callers in one, everything else in the other. The report of the first is shown as it comes, the other's behind it.
 */
const FOLDERS = [
  'access',
  'actions',
  'agents',
  'backup',
  'cli',
  'commercial',
  'data',
  'events',
  'trust',
  'workflows',
];
const STORIES = `test/live/{${FOLDERS.join()}}/**`;
const OTHERS = ['test/*', 'test/!(live)/**', 'test/live/*', `test/live/!(${FOLDERS.join('|')})/**`];

const stories = mocha('stories', OTHERS, 'inherit');
const others = mocha('others', [STORIES], 'pipe');
const report = text(others.stdout!);
const statuses = [await statusOf(stories), await statusOf(others)];
process.stdout.write(await report);
process.exitCode = Math.max(...statuses);

function mocha(part: string, ignored: readonly string[], stdout: 'inherit' | 'pipe') {
  const ignore = ignored.flatMap((glob) => ['--ignore', glob]);
  return spawn('mocha', [...process.argv.slice(2), ...ignore], {
    stdio: ['ignore', stdout, 'inherit'],
    env: { NODE_COMPILE_CACHE: path.resolve('.assay-test/compiled'), ...process.env, TEST_PART: part },
  });
}

async function statusOf(child: ReturnType<typeof mocha>): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? 1;
}
