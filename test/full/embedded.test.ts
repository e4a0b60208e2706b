import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { findBinaries } from '#lib/database/embedded/binaries.ts';
import { findServer, stop } from '#lib/database/embedded/cluster.ts';
import { describeByPs, describeProcess } from '#lib/database/embedded/process.ts';
import { chooseRunner, RELOCATED, type RunMode } from '#lib/database/embedded/runner.ts';
import { acquireEmbedded, findEmbedded } from '#lib/database/embedded.ts';
import { eventually } from '../support/runs.ts';

const isRoot = process.getuid?.() === 0;

describe('embedded PostgreSQL', function () {
  let folder: string;
  let home: string;
  let holders: ChildProcess[];
  const removals: Promise<void>[] = []; // Removing a cluster is slow, so the next test does not wait for it.

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'assay-embedded-'))); // the mode is 0700
    home = join(folder, 'home');
    holders = [];
  });

  afterEach(async () => {
    for (const holder of holders) holder.kill('SIGKILL');
    await stop(home);
    const data = await realpath(join(home, 'postgres')).catch(() => folder);
    for (const path of new Set([data, folder])) removals.push(rm(path, { recursive: true, force: true }));
  });

  after(() => Promise.all(removals));

  /** Starts another process that uses the cluster until its standard input closes. */
  function startHolder(): ChildProcess {
    const module = new URL('../../lib/database/embedded.ts', import.meta.url).href;
    const script = `
      import { acquireEmbedded } from '${module}';
      const cluster = await acquireEmbedded(process.argv[1]);
      console.log(cluster.url);
      process.stdin.on('end', () => cluster.release()).resume();`;
    const options = ['--input-type=module', '-e', script, home];
    const holder = spawn(process.execPath, options, { stdio: ['pipe', 'pipe', 'inherit'] });
    holders.push(holder);
    return holder;
  }

  async function urlOf(holder: ChildProcess): Promise<string> {
    const [line] = (await once(holder.stdout!, 'data')) as [Buffer];
    return line.toString().trim();
  }

  async function release(holder: ChildProcess): Promise<void> {
    holder.stdin!.end();
    expect(await once(holder, 'exit')).to.deep.equal([0, null]);
  }

  async function writeNote(url: string): Promise<void> {
    await query(url, 'create table note as select 42 as answer');
  }

  async function expectNote(url: string): Promise<void> {
    expect(await query(url, 'select answer from note')).to.deep.equal([{ answer: 42 }]);
  }

  it('keeps its data when it is stopped and started', async () => {
    const first = await acquireEmbedded(home);
    await writeNote(first.url);
    await first.release();
    await first.release();
    expect(await findEmbedded(home)).to.equal(undefined);
    const second = await acquireEmbedded(home);
    await expectNote(second.url);
    await second.release();
  });

  it('is neither found nor created by a lookup if no cluster was ever started', async () => {
    expect(await findEmbedded(home)).to.equal(undefined);
    expect(existsSync(home)).to.equal(false);
  });

  // Order and case mapping must not depend on the machine that created the cluster.
  it('sorts by code point, maps the case of Unicode letters and listens only on the loopback address', async () => {
    const { url, release } = await acquireEmbedded(home);
    const [row] = await query(
      url,
      `select (select string_agg(c, '' order by c) from unnest(array['é','a','Z','B']) c) as sorted, lower('Ä') as lower,
        current_setting('listen_addresses') as listens, current_setting('data_checksums') as checksums,
        current_setting('timezone') as timezone, current_setting('max_connections') as connections,
        (select setting from pg_config() where name = 'VERSION') as version`,
    );
    expect(row).to.deep.equal({
      sorted: 'BZaé',
      lower: 'ä',
      listens: '127.0.0.1',
      checksums: 'on',
      timezone: 'UTC',
      connections: '200',
      version: 'PostgreSQL 18.4',
    });
    await release();
  });

  it('requires a password that only its owner can read', async () => {
    const { url, release } = await acquireEmbedded(home);
    expect((await readFile(join(home, 'secrets/postgres'), 'utf8')).trim()).to.equal(new URL(url).password);
    expect((await stat(join(home, 'secrets/postgres'))).mode & 0o777).to.equal(0o600);
    const stranger = new URL(url);
    stranger.password = 'wrong';
    const code = await query(stranger.href, 'select 1').catch((error: { code: string }) => error.code);
    expect(code).to.equal('28P01');
    await release();
  });

  it('is shared by processes that start it at the same time until the last process stops it', async () => {
    const others = [startHolder(), startHolder(), startHolder()];
    const own = acquireEmbedded(home);
    const urls = await Promise.all(others.map(urlOf));
    const { url, release: releaseOwn } = await own;
    expect(new Set([url, ...urls]).size).to.equal(1);
    await releaseOwn();
    await Promise.all(others.slice(1).map(release));
    expect(await findEmbedded(home)).to.equal(url);
    await release(others[0]!);
    expect(await findEmbedded(home)).to.equal(undefined);
    expect(await findServer(home)).to.equal(undefined);
  });

  it('is taken over and stopped by a new owner after its owner was killed', async () => {
    const owner = startHolder();
    const url = await urlOf(owner);
    await writeNote(url);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const before = await findServer(home);
    const adopted = await acquireEmbedded(home);
    expect(adopted.url).to.equal(url);
    expect(await findServer(home)).to.deep.equal(before);
    await expectNote(adopted.url);
    await adopted.release();
    expect(await findServer(home)).to.equal(undefined);
    expect(await readdir(join(home, 'leases'))).to.deep.equal([]);
  });

  // A killed server stays a zombie until its parent reaps it, and its backend processes do not end at once.
  // The restart must wait for both.
  it('restarts with its data on the same port after the server was killed', async () => {
    const owner = startHolder();
    const url = await urlOf(owner);
    await writeNote(url);
    for (let round = 0; round < 3; round++) {
      process.kill((await findServer(home))!.pid, 'SIGKILL');
      const cluster = await acquireEmbedded(home);
      expect(cluster.url).to.equal(url);
      await expectNote(url);
      await cluster.release();
    }
    await release(owner);
  });

  it('starts although postmaster.pid names a live process of another program', async () => {
    const first = await acquireEmbedded(home);
    await writeNote(first.url);
    const pidFile = join(home, 'postgres/postmaster.pid');
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
    await first.release();
    await writeFile(pidFile, [process.pid, ...rest].join('\n'));
    expect(await findEmbedded(home)).to.equal(undefined);
    const second = await acquireEmbedded(home);
    await expectNote(second.url);
    await second.release();
  });

  it('repairs a setup that was killed midway', async () => {
    const owner = startHolder();
    await eventually(async () => {
      const staged = (await readdir(home).catch(() => [])).find((name) => name.startsWith('postgres.new'));
      return staged && existsSync(join(home, staged, 'base')) ? staged : undefined;
    });
    owner.kill('SIGKILL');
    const cluster = await acquireEmbedded(home);
    await writeNote(cluster.url);
    await cluster.release();
    expect((await readdir(home)).filter((name) => name.startsWith('postgres.new'))).to.deep.equal([]);
  });

  it('names its port in the error if another program uses the port', async () => {
    // The listener reads from the connections that test whether the port is in use. These connections can then end, and
    // the listener can close.
    const listener = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    expect(await failureOf(acquireEmbedded(home, { port }))).to.contain(
      `port ${port} of 127.0.0.1 is in use`,
    );
    listener.close();
    await once(listener, 'close');
    const cluster = await acquireEmbedded(home, { port });
    expect(cluster.port).to.equal(port);
    await cluster.release();
  });

  it('reports the message of the server and releases the lock if the server does not start', async () => {
    const first = await acquireEmbedded(home);
    await first.release();
    await writeFile(join(home, 'postgres/postgresql.conf'), 'no_such_setting = 1\n');
    expect(await failureOf(acquireEmbedded(home))).to.contain('no_such_setting');
    expect(await readdir(join(home, 'leases'))).to.deep.equal([]);
  });

  it('does not start without its password', async () => {
    const first = await acquireEmbedded(home);
    await first.release();
    await rm(join(home, 'secrets/postgres'));
    expect(await failureOf(acquireEmbedded(home))).to.contain('secrets/postgres');
    expect(await findServer(home)).to.equal(undefined);
  });

  it('does not keep the input and output streams of the process that started it open', async () => {
    const owner = startHolder();
    const url = await urlOf(owner);
    owner.kill('SIGKILL');
    // `close` is emitted only when no process holds the streams of the owner open any longer.
    await once(owner, 'close');
    expect(await findEmbedded(home)).to.equal(url);
  });

  it('identifies processes in the same way with and without /proc', async function () {
    if (!existsSync('/bin/ps')) skip(this, 'there is no ps');
    const own = await describeByPs(process.pid);
    expect(own?.started).to.match(/^\w+$/);
    expect(own?.command).to.contain(process.argv[1]);
    expect((await describeProcess(process.pid))?.command).to.contain(process.argv[1]);
    expect(await describeByPs(2 ** 22 + 1)).to.equal(undefined);
    expect(await describeProcess(2 ** 22 + 1)).to.equal(undefined);
  });

  describe(isRoot ? 'as root' : 'as root (skipped: the user is not root)', () => {
    let hadRelocated: boolean;

    before(function () {
      if (!isRoot) this.skip();
      hadRelocated = existsSync(RELOCATED);
    });

    after(async () => {
      if (!isRoot || hadRelocated) return;
      for (const name of await readdir(RELOCATED).catch(() => [])) {
        if (name.startsWith('binaries')) await rm(join(RELOCATED, name), { recursive: true });
      }
      await Promise.all(removals);
      // `rmdir` fails if the folder contains data of another home. The folder then stays.
      await rmdir(RELOCATED).catch(() => {});
    });

    it('does not run as another account in a folder closed to that account', async () => {
      expect(await failureOf(acquireEmbedded(home, { mode: 'account' }))).to.contain(
        'refuses to run as root',
      );
    });

    it('runs as another account in a folder open to that account', async function () {
      await chmod(folder, 0o755);
      if (!(await isPossible('account'))) skip(this, 'the project lies in a closed folder');
      await expectToRun('account');
    });

    it('runs in a user namespace if the folder is closed to other accounts', async function () {
      if (!(await isPossible('namespace'))) skip(this, 'user namespaces are forbidden here');
      await expectToRun('namespace');
    });

    it('runs with binaries and data under /var/lib if the folder is closed to other accounts', async () => {
      await expectToRun('relocated');
      expect(await realpath(join(home, 'postgres'))).to.contain(RELOCATED);
    });

    it('selects a way to run if the folder is closed and no way is requested', async () => {
      await expectToRun();
    });

    it('keeps the data if the way to run changes between starts', async () => {
      await chmod(folder, 0o755);
      const modes: RunMode[] = ['account', 'namespace', 'account', 'relocated', 'namespace', 'account'];
      const first = await acquireEmbedded(home);
      await writeNote(first.url);
      await first.release();
      for (const mode of modes) {
        if (!(await isPossible(mode))) continue;
        const cluster = await acquireEmbedded(home, { mode });
        await expectNote(cluster.url);
        await cluster.release();
      }
    });

    async function isPossible(mode: RunMode): Promise<boolean> {
      await mkdir(home, { recursive: true });
      const runner = chooseRunner({ home, binaries: await findBinaries(), mode });
      return (await failureOf(runner)) === '';
    }

    async function expectToRun(mode?: RunMode): Promise<void> {
      const first = await acquireEmbedded(home, { ...(mode && { mode }) });
      await writeNote(first.url);
      await first.release();
      const second = await acquireEmbedded(home, { ...(mode && { mode }) });
      await expectNote(second.url);
      await second.release();
    }
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end().catch(() => {});
  }
}

/** Skips the running test and adds the reason to its title. */
function skip(context: Mocha.Context, reason: string): never {
  if (context.test) context.test.title += ` (skipped: ${reason})`;
  return context.skip();
}

/** Returns the message that an action fails with; an empty text if the action succeeds. */
async function failureOf(action: Promise<unknown>): Promise<string> {
  return action.then(
    () => '',
    (error: Error) => error.message,
  );
}
