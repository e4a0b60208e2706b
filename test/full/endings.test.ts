import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { amount } from '../support/repetitions.ts';
import { eventually } from '../support/runs.ts';

type Started = { npm: ChildProcess; output(): string; ended: Promise<unknown[]> };

// Every process inherits the name of the test's folder, by which the test finds leftover processes.
describe('npm', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'assay-ending-')));
    await chmod(folder, 0o755); // so that the account which runs the server for root can reach its data
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  function start(words: readonly string[]): Started {
    const npm = spawn('npm', ['run', '--silent', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        TEST_BACKEND: 'postgres',
        ASSAY_HOME: path.join(folder, 'home'),
        TEST_HOME: path.join(folder, 'tests'),
        DATABASE_URL: '',
        REDIS_URL: '',
        PORT: '0',
        OPS_PORT: '0',
      },
    });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    }
    return { npm, output: () => output, ended: once(npm, 'close') };
  }

  /** Returns the command lines of all processes started with the folder in their environment or command. */
  async function leftovers(): Promise<string[]> {
    const found: string[] = [];
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
      const [command, environment] = [await read('cmdline'), await read('environ')];
      if (`${command}${environment}`.includes(folder)) found.push(command.replaceAll('\0', ' ').trim());
    }
    return found;
  }

  async function expectNothingLeft(): Promise<void> {
    expect(await leftovers()).to.deep.equal([]);
    for (const home of ['home', 'tests']) {
      const leases = await readdir(path.join(folder, home, 'leases')).catch(() => []);
      expect(leases, `leases of ${home}`).to.deep.equal([]);
    }
    const data = await readdir(path.join(folder, 'home/postgres')).catch(() => []);
    expect(data).to.not.include('postmaster.pid');
  }

  /** Sends the signal to npm once npm's output matches or the file exists. Waits until npm has ended. */
  async function endAt(
    { npm, output, ended }: Started,
    sign: RegExp | string,
    signal: NodeJS.Signals,
  ): Promise<number> {
    await eventually(async () => {
      expect(npm.exitCode, output()).to.equal(null);
      return typeof sign === 'string' ? existsSync(path.join(folder, sign)) : sign.test(output());
    });
    const toldAt = performance.now();
    npm.kill(signal);
    const [code] = await ended;
    process.stdout.write(`ended ${((performance.now() - toldAt) / 1_000).toFixed(1)} s after ${signal}\n`);
    return code as number;
  }

  before(function () {
    if (process.platform !== 'linux') this.skip(); // Leftover processes are found in /proc.
  });

  const ends = [
    { title: '`npm run serve` while it serves', words: ['serve'], sign: /API docs/, statuses: [0, 0] },
    {
      title: '`npm run serve` while it starts',
      words: ['serve'],
      sign: /started the embedded/,
      statuses: [130, 143],
    },
    { title: '`npm run demo` while it serves', words: ['demo'], sign: /Ctrl-C ends/, statuses: [0, 0] },
    {
      title: '`npm run demo` while it loads the sample',
      words: ['demo'],
      sign: /Loading the sample/,
      statuses: [130, 143],
    },
    {
      title: '`npm test` while it starts',
      words: ['test', '--', 'test/support/endings/waiting.ts'],
      sign: /calibration/,
      statuses: [130, 143],
    },
    {
      title: '`npm test` while a test runs',
      words: ['test', '--', 'test/support/endings/waiting.ts'],
      sign: 'tests/waiting',
      statuses: [130, 143],
    },
  ];
  for (const [index, { title, words, sign, statuses }] of ends.entries()) {
    for (const [at, signal] of (['SIGINT', 'SIGTERM'] as const).entries()) {
      // Unless every test is requested, each command is tested with one signal; the signals alternate.
      if (amount !== 'all' && at !== index % 2) continue;
      it(`ends ${title} with the right status on ${signal} and leaves no process behind`, async () => {
        expect(await endAt(start(words), sign, signal)).to.equal(statuses[at]);
        await expectNothingLeft();
      });
    }
  }

  for (const { file, says } of [
    { file: 'crashing', says: /the process of the tests ended \(SIGKILL\)/ },
    { file: 'failing-hook', says: /a root hook fails/ },
  ]) {
    it(`ends \`npm test\` with status 1 and leaves no process behind if the test file is ${file}.ts`, async () => {
      const { ended, output } = start(['test', '--', `test/support/endings/${file}.ts`]);
      expect(await ended).to.deep.equal([1, null]);
      expect(output())
        .to.match(says)
        .and.to.match(/0 passed, 1 failed/);
      await expectNothingLeft();
    });
  }
});
