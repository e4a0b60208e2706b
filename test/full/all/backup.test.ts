import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Stack } from '#api/process/stack.ts';
import { readArchive } from '#lib/database/backup/archive.ts';
import type { Manifest } from '#lib/database/backup/manifest.ts';
import { checkBackup } from '#lib/database/backup/check.ts';
import { findEmbedded } from '#lib/database/embedded.ts';
import { userOf, type User } from '../../support/client.ts';
import { ownHome, type Home } from '../../support/home.ts';
import { approve, draft, type Sample } from '../../support/govern.ts';
import { eventually } from '../../support/runs.ts';

/** The number of backups that are made while runs are submitted. */
const ROUNDS = 4;
const RUNS = '/investment/theme-watch/factors';
const REQUEST = { as_of_date: '2020-09-30', history_months: 60 };

/** Returns the tables of a backup without the record of trials, to which every restore adds a row. */
function contentOf({ tables }: Manifest): Manifest['tables'] {
  return tables.filter(({ name }) => name !== 'restore_trial');
}

describe('the command line for backups', function () {
  let from: Home;
  let to: Home;
  let stack: Stack;
  let user: User;
  let key: string;
  let sealed: any;
  let delegation: string;
  let queued: any;
  let log: { entries: number; not_placed: number };
  const file = () => path.join(from.folder, 'backup.tar.gz');

  async function verifyLog(): Promise<typeof log> {
    const workspace = (await to.assay('workspace', 'list', '--json')).json.data[0].uid;
    const verified = await to.assay('audit', 'verify', '--workspace', workspace, '--json');
    expect(verified.status, verified.stderr).to.equal(0);
    return verified.json.data[0];
  }

  before(async () => {
    [from, to] = [await ownHome(), await ownHome()];
    stack = await from.start();
    key = (await from.assay('seed', 'demo', '--json')).json.api_key;
    user = userOf(stack, key);
    sealed = await user.sealedFactors(REQUEST);
    const sample = JSON.parse(await readFile(path.join(from.folder, 'governed.json'), 'utf8')) as Sample;
    delegation = (await draft(stack, sample)).body.uid;
    const { status, body } = await approve(stack, sample.applications.approver.api_key, delegation);
    expect(status, JSON.stringify(body)).to.equal(200);
    const by = ['--as', sample.persons.drafter.uid, '--reason', 'a test'];
    const frozen = await from.assay('workspace', 'freeze', sample.workspace, ...by);
    expect(frozen.status, frozen.stderr).to.equal(0);
  });

  after(async () => {
    await stack?.stop();
    for (const home of [from, to]) await home.remove();
  });

  it('writes a backup of one instant while runs are submitted and sealed', async () => {
    const enough = new AbortController();
    const submissions = [36, 80].map(async (first) => {
      for (let months = first; !enough.signal.aborted; months = months === 120 ? 36 : months + 1) {
        await user.sealedFactors({ ...REQUEST, history_months: months });
      }
    });
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const name = path.join(from.folder, `busy-${round}.tar.gz`);
        expect((await from.assay('backup', name)).status).to.equal(0);
        const rows = await rowsOf(name);
        const states = new Map(rows('run').map((row) => [row['uid']!, row['state']!]));
        const inState = (...wanted: string[]) =>
          [...states].filter(([, is]) => wanted.includes(is)).map(([uid]) => uid);
        expect(rows('run_result').map((row) => row['run_uid'])).to.have.members(inState('succeeded'));
        expect(rows('dispatch').map((row) => row['run_uid'])).to.have.members(inState('queued', 'running'));
        expect(states.size).to.be.greaterThan(round);
      }
    } finally {
      enough.abort();
      await Promise.all(submissions);
    }
  });

  it('writes a new file that only its owner can read and that contains no secrets', async () => {
    process.kill(stack.pid('worker-numerics-1')!, 'SIGSTOP');
    queued = await user.submit(RUNS, { ...REQUEST, history_months: 48 });
    expect((await user.job(queued.uid)).state).to.equal('queued');
    const made = await from.assay('backup', file(), '--json');
    process.kill(stack.pid('worker-numerics-1')!, 'SIGCONT');
    expect(made.status, made.stderr).to.equal(0);
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
    expect(made.json).to.include({ file: file(), bytes: (await stat(file())).size });
    const password = (await readFile(path.join(from.folder, 'secrets/postgres'), 'utf8')).trim();
    const secrets = [password, key, key.split('_').at(-1)!, new URL(stack.ownerUrl).password];
    for await (const { name, content } of readArchive(file())) {
      for (const secret of secrets) expect(content.includes(secret), name).to.equal(false);
    }
    const before = await readFile(file());
    const again = await from.assay('backup', file());
    expect(again.status).to.equal(1);
    expect(again.stderr).to.match(/^file_exists: /m);
    expect(before.equals(await readFile(file()))).to.equal(true);
    const forced = path.join(from.folder, 'busy-0.tar.gz');
    expect((await from.assay('backup', forced, '--force')).status).to.equal(0);
  });

  it('refuses to restore while processes run, and to restore into a database that has workspaces', async () => {
    expect((await from.assay('restore', file(), '--replace')).stderr).to.match(/^in_use: /m);
    await stack.stop();
    expect((await from.assay('restore', file())).stderr).to.match(/^not_empty: /m);
  });

  it('restores every table, row for row, into another home', async () => {
    const restored = await to.assay('restore', file(), '--json');
    expect(restored.status, restored.stderr).to.equal(0);
    const copy = path.join(to.folder, 'copy.tar.gz');
    expect((await to.assay('backup', copy)).status).to.equal(0);
    const [there, here] = [await checkBackup(file()), await checkBackup(copy)];
    expect(contentOf(here)).to.deep.equal(contentOf(there));
    expect(there.tables.find(({ name }) => name === 'price')!.rows).to.be.greaterThan(80_000);
  });

  it('restores the whole audit log', async () => {
    log = await verifyLog();
    expect(log.entries).to.be.greaterThan(10);
  });

  it('restores a service that accepts the key, replays sealed runs and executes queued runs', async () => {
    stack = await to.start();
    user = userOf(stack, key);
    const read = (uid: string) =>
      user.GET(`${RUNS}/{uid}`, { params: { path: { uid }, query: { wait: 5 } } });
    expect((await read(sealed.uid)).data).to.deep.equal(sealed);
    expect((await to.assay('delegation', 'show', delegation, '--json')).json.state).to.equal('activated');
    const replay = await to.assay('replay', sealed.uid, '--json');
    expect(replay.json).to.include({ identical: true, replayed_hash: sealed.seal.hash });
    const done = await eventually(async () => {
      const { data } = await read(queued.uid);
      return data.state === 'succeeded' && data;
    });
    expect(done.seal.hash).to.match(/^[0-9a-f]{64}$/);
  });

  it('continues the restored audit log with new sealed results', async () => {
    const grown = await eventually(async () => {
      const verified = await verifyLog();
      return verified.not_placed === 0 && verified;
    });
    // Since the restore, the scheduler may have added entries for the sealed totals of financial actions. The
    // expected size includes them.
    const of = ['--workspace', (await to.assay('workspace', 'list', '--json')).json.data[0].uid];
    const sealedThere = await to.assay('audit', 'list', ...of, '--op', 'value.snapshot_sealed', '--json');
    const before = log.entries + log.not_placed;
    const byClock = sealedThere.json.data.filter((each: { index: number }) => each.index >= before);
    expect(grown.entries).to.equal(before + 1 + byClock.length);
  });

  it('continues database sequences after the highest restored values', async () => {
    const workspace = (await to.assay('workspace', 'create', '--name', 'New', '--json')).json.uid;
    const file = path.resolve('lib/sample/taxonomy.csv');
    const imported = await to.assay('import', 'taxonomy', file, '--workspace', workspace, '--json');
    expect(imported.status, imported.stderr).to.equal(0);
  });

  it('replaces existing data if restore is called with --replace', async () => {
    await stack.stop();
    const replaced = await to.assay('restore', file(), '--replace', '--json');
    expect(replaced.status, replaced.stderr).to.equal(0);
    const copy = path.join(to.folder, 'again.tar.gz');
    await to.assay('backup', copy);
    expect(contentOf(await checkBackup(copy))).to.deep.equal(contentOf(await checkBackup(file())));
    stack = await to.start();
    expect((await userOf(stack, key).sealedFactors(REQUEST)).result_hash).to.equal(sealed.result_hash);
  });

  it('does not create a home folder if there is none to back up', async () => {
    const none = await ownHome();
    expect((await none.assay('backup', path.join(to.folder, 'none.tar.gz'))).stderr).to.match(
      /^nothing_to_back_up: /,
    );
    expect(await findEmbedded(none.folder)).to.equal(undefined);
    await none.remove();
  });
});

/** Reads the rows of each table of a backup, as text by column. */
async function rowsOf(file: string): Promise<(table: string) => Record<string, string>[]> {
  const { tables } = await checkBackup(file);
  const texts = new Map<string, string>();
  for await (const { name, content } of readArchive(file)) {
    const table = name.split('/')[0]!;
    texts.set(table, (texts.get(table) ?? '') + content.toString('latin1'));
  }
  return (table) => {
    const { columns } = tables.find(({ name }) => name === table)!;
    const lines = (texts.get(table) ?? '').split('\n').slice(0, -1);
    return lines.map((line) => {
      const values = line.split('\t');
      return Object.fromEntries(columns.map((column, at) => [column, values[at]!]));
    });
  };
}
