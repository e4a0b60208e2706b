import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { blocksOf, pagesWithBlocks } from '../documents/blocks.ts';
import { runPage } from '../documents/page-shell.ts';
import { joinPython } from '../documents/python.ts';
import { amount } from '../support/repetitions.ts';
import { eventually } from '../support/runs.ts';

/** The files that a reader has in the project folder. The demo starts without data. */
const PARTS = ['api', 'docs', 'lib', 'node_modules', 'package-lock.json', 'package.json', 'workers'];

/** The pages that a new user opens first. The blocks of the other pages are run only before a release. */
const FIRST = new Set(['README.md', 'own-workspace.md', 'theme-factors.md', 'delegations.md', 'python.md']);

const pages = pagesWithBlocks().filter((page) => amount === 'all' || FIRST.has(path.basename(page)));

// Runs the commands of the pages to find commands that no longer work. One demo serves all pages. Each page
// has its own shell, in which the blocks of the page run in order.
describe('the shell and Python blocks of the documents', () => {
  let folder: string;
  let demo: ChildProcess;
  let ended: Promise<unknown>;
  let url: string;

  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'assay-reader-')));
    // If root runs the test, another account runs the server and must be able to reach the data.
    await chmod(folder, 0o755);
    for (const name of PARTS) await symlink(path.resolve(name), path.join(folder, name));
    demo = spawn('npm', ['run', '--silent', 'demo'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ASSAY_HOME: '', DATABASE_URL: '', REDIS_URL: '', PORT: '0', OPS_PORT: '0' },
    });
    let output = '';
    for (const stream of [demo.stdout!, demo.stderr!]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    }
    ended = once(demo, 'close');
    await eventually(async () => {
      expect(demo.exitCode, output).to.equal(null);
      return output.includes('Ctrl-C ends.');
    }, 'the demo is up');
    url = /^API +(http:\S+)\/api\/v2$/m.exec(output)![1]!;
  });

  after(async () => {
    demo?.kill('SIGTERM');
    await ended;
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  for (const page of pages) {
    const blocks = joinPython(blocksOf(page));
    if (blocks.every(({ skipped }) => skipped !== undefined)) continue;
    it(`of ${page} have the results that the page states`, async () => {
      for (const { line, skipped } of blocks) {
        if (skipped !== undefined) process.stdout.write(`${page}:${line} is not run: ${skipped}\n`);
      }
      const [fault] = await runPage(blocks, { folder, url });
      if (fault) throw new Error(`${fault.place}\n${fault.output}`);
    });
  }
});
