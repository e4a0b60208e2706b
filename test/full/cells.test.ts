import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { inTenant } from '#lib/database/orm.ts';
import { NUMBERS_PER_CELL } from '#lib/database/number-range.ts';
import { verifyLog } from '#lib/audit/log.query.ts';
import { createClient, type Client } from '#lib/client/client.ts';
import { checkSeal } from '#lib/core/seal.ts';
import { startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { assay, commandEnv } from '../support/cli.ts';
import { clientOf } from '../support/client.ts';
import { faultsOfConfiguration, haproxyIsThere, startRouter, type Router } from '../support/haproxy.ts';
import { importTiny } from '../support/import.ts';
import { underLoad } from '../support/load.ts';
import { freePort } from '../support/redis.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually } from '../support/runs.ts';

/** The queue belongs to each cell alone, so one kind of queue is enough. */
const QUEUE = 'postgres';
const FACTORS = '/investment/theme-watch/factors';
const ENDED = new Set(['succeeded', 'failed', 'cancelled']);

describe('two cells', function () {
  let folder: string;
  let directory: string;
  let [a, b]: Backend[] = [];
  let moved: Tenancy;
  let other: Tenancy;
  let uids: string[] = [];

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-cells-'));
    directory = path.join(folder, 'cells.json');
    a = await startBackend(QUEUE, `assay_cell_a_${QUEUE}`);
    b = await startBackend(QUEUE, `assay_cell_b_${QUEUE}`);
    for (const [number, { ownerUrl }] of [a, b].entries())
      await done({ ownerUrl, variables: { CELL_NUMBER: String(number) } }, 'migrate');
    const cells = Object.fromEntries(
      Object.entries({ a, b }).map(([name, { url }]) => [
        name,
        { address: url, servers: [new URL(url).host], environment: `${name}.env` },
      ]),
    );
    for (const [name, cell] of Object.entries({ a, b })) {
      const { ownerUrl, superuserUrl } = cell;
      const lines = [`DATABASE_URL=${ownerUrl}`, `DATABASE_DIRECT_URL=${superuserUrl}`];
      await writeFile(path.join(folder, `${name}.env`), `${lines.join('\n')}\n`, { mode: 0o600 });
    }
    await writeFile(directory, JSON.stringify({ default: 'a', cells, workspaces: {} }));
    moved = await buildTenancy(a);
    other = await buildTenancy(a);
    for (const { workspace } of [moved, other]) await importTiny(a, workspace);
  });

  after(async () => {
    await Promise.all([a?.stop(), b?.stop()]);
    await rm(folder, { recursive: true });
  });

  const done = async (target: Parameters<typeof assay>[0], ...words: string[]) => {
    const printed = await assay(target, ...words, '--json');
    expect(printed.status, printed.stderr).to.equal(0);
    return printed.json;
  };
  const operator = () => ({
    ownerUrl: a!.ownerUrl,
    redis: a!.redis,
    variables: { DATABASE_DIRECT_URL: a!.superuserUrl },
  });
  const statesIn = (cell: Backend) =>
    asSuperuser(cell, async (client) => {
      const { rows } = await client.query<{ uid: string; state: string }>(
        'select uid, state from run where workspace_uid = $1',
        [moved.workspace],
      );
      return new Map(rows.map(({ uid, state }) => [uid, state]));
    });
  const rootOf = (cell: Backend) =>
    asSuperuser(cell, async (client) => {
      const { rows } = await client.query<{ size: string; root: string }>(
        `select tree_size as size, root_hash as root from audit_checkpoint
         where workspace_uid = $1 and environment = 'sandbox' order by tree_size desc limit 1`,
        [moved.workspace],
      );
      return rows[0];
    });
  /** Waits until the log of a cell has more entries in the tree. Returns its newest checkpoint. */
  const rootAbove = (cell: Backend, size: number) =>
    eventually(async () => {
      const root = await rootOf(cell);
      return root && Number(root.size) > size && root;
    });

  /** Submits runs with the client of the project until it is stopped. Keeps the uid of every accepted run. */
  const submitting = (client: Client) => {
    const accepted: string[] = [];
    const running = { stopped: false };
    const loop = (async () => {
      while (!running.stopped) {
        accepted.push((await client.submit(FACTORS)).uid);
        await delay(50);
      }
    })();
    return {
      accepted,
      /** Waits until so many runs were accepted. Throws the error of a refused submission. */
      async reach(count: number) {
        while (accepted.length < count) await Promise.race([delay(50), loop]);
      },
      stop: async () => {
        running.stopped = true;
        await loop;
      },
    };
  };

  it('move a workspace while it and another workspace submit runs', async () => {
    const client = createClient({ baseUrl: a!.url, apiKey: moved.key, retries: { attempts: 100 } });
    const mine = submitting(client);
    const theirs = underLoad(clientOf(a!, other.key));
    await mine.reach(5);
    while (theirs.count() < 5) await delay(50);
    await rootAbove(a!, 0);
    const report = await done(
      operator(),
      'workspace',
      'move',
      moved.workspace,
      '--to',
      'b',
      '--directory',
      directory,
    );
    expect(report).to.include({ workspace: moved.workspace, to: 'b', address: b!.url });
    await mine.reach(mine.accepted.length + 3);
    await mine.stop();
    uids = mine.accepted;
    for (const uid of await theirs.stop()) {
      const run = await clientOf(a!, other.key).get(`${FACTORS}/${uid}?wait=60`);
      expect([run.status, run.body.state]).to.deep.equal([200, 'succeeded']);
    }
  });

  it('have lost none of its runs: the new cell seals each run that either cell accepted', async () => {
    for (const uid of uids) {
      const { status, body } = await clientOf(b!, moved.key).get(`${FACTORS}/${uid}?wait=60`);
      expect([uid, status, body.state]).to.deep.equal([uid, 200, 'succeeded']);
      expect(checkSeal(body)).to.include({ intact: true });
    }
    expect([...(await statesIn(b!)).keys()].sort()).to.deep.equal(uids.toSorted());
  });

  it('compute its runs only in the new cell', async () => {
    const old = await statesIn(a!);
    const open = [...old].filter(([, state]) => !ENDED.has(state));
    // The new cell has ended these runs by now. The old one would have ended them too.
    const now = await statesIn(b!);
    for (const [uid] of open) expect(now.get(uid)).to.equal('succeeded');
    expect(old.size).to.be.below(now.size);
    const jobs = await asSuperuser(a!, (client) =>
      client.query('select from dispatch where workspace_uid = $1', [moved.workspace]),
    );
    expect(jobs.rowCount).to.equal(open.length);
  });

  it('have one log of it, which verifies across the move', async () => {
    const ended = (await rootOf(a!))!;
    const goesOn = await rootAbove(b!, Number(ended.size));
    const verified = await inTenant(b!.orm('operator'), moved, verifyLog);
    expect(verified.size).to.be.at.least(Number(goesOn.size));
    const { rows } = await asSuperuser(b!, (client) =>
      client.query<{ root: string }>(
        `select root_hash as root from audit_checkpoint
         where workspace_uid = $1 and environment = 'sandbox' and tree_size = $2`,
        [moved.workspace, ended.size],
      ),
    );
    expect(rows[0]!.root).to.equal(ended.root);
  });

  it('assign numbers from separate ranges, so that no number of a moved workspace is taken', async () => {
    const numberIn = async (cell: Backend, { workspace }: Tenancy) =>
      (await done(cell, 'company', 'create', '--workspace', workspace, '--name', 'Acme')).id as number;
    expect(await numberIn(a!, other)).to.be.at.most(NUMBERS_PER_CELL);
    expect(await numberIn(b!, moved)).to.be.above(NUMBERS_PER_CELL);
  });

  it('answer at the old address with the new one', async () => {
    const answer = await fetch(`${a!.url}/api/v2/workspace`, {
      headers: { authorization: `Bearer ${moved.key}` },
    });
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([
      421,
      `${b!.url}/api/v2/workspace`,
    ]);
  });

  it('have a map that follows new keys by itself, and stays while a cell does not answer', async () => {
    const out = path.join(folder, 'watched');
    const reloads = path.join(folder, 'reloads');
    const words = ['route', '--directory', directory, '--out', out, '--watch', '1'];
    const watching = spawn(
      process.execPath,
      ['api/cli/main.ts', ...words, '--reload', `echo reloaded >> ${reloads}`],
      { env: commandEnv(operator()), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const ended = once(watching, 'exit');
    let notices = '';
    watching.stderr.setEncoding('utf8').on('data', (chunk: string) => (notices += chunk));
    try {
      const map = () => readFile(path.join(out, 'cells.map'), 'utf8').catch(() => '');
      const reloaded = async () => (await readFile(reloads, 'utf8').catch(() => '')).split('\n').length - 1;
      await eventually(
        async () => (await map()).includes(moved.key.slice(0, 19)) && (await reloaded()) === 1,
      );
      const issued = await done(b!, 'key', 'issue', '--app', moved.application);
      const known = `${String(issued.api_key).slice(0, 19)} cell_b\n`;
      await eventually(async () => (await map()).includes(known) && (await reloaded()) === 2);
      const whole = await readFile(directory, 'utf8');
      try {
        await writeFile(directory, whole.replace('"b.env"', '"missing.env"'));
        await eventually(async () => notices.includes('missing.env'));
        expect(await map()).to.include(known);
      } finally {
        await writeFile(directory, whole);
      }
      expect(watching.exitCode).to.equal(null);
      expect(await reloaded()).to.equal(2);
    } finally {
      watching.kill('SIGKILL');
      await ended;
    }
  });

  describe('behind HAProxy', () => {
    let router: Router | undefined;
    let url: string;
    const clients: Record<string, { client_id: string; client_secret: string }> = {};

    before(async function () {
      if (!haproxyIsThere()) {
        console.log('      left out: HAProxy is not installed');
        this.skip();
      }
      for (const [cell, { application }] of [
        [a!, other],
        [b!, moved],
      ] as const)
        clients[application] = await done(cell, 'oauth', 'issue', '--app', application);
      const port = await freePort();
      const words = ['--directory', directory, '--out', folder, '--bind', `127.0.0.1:${port}`];
      const report = await done(operator(), 'route', ...words);
      expect(report).to.include({ cells: 2, changed: true });
      expect(report.credentials).to.be.at.least(2);
      const configuration = path.join(folder, 'haproxy.cfg');
      expect(faultsOfConfiguration(configuration)).to.equal('');
      router = await startRouter(configuration, port);
      url = `http://127.0.0.1:${port}`;
    });

    after(() => router?.stop());

    const workspaceBy = async (authorization: string) => {
      const answer = await fetch(`${url}/api/v2/workspace`, { headers: { authorization } });
      expect(answer.status, await answer.clone().text()).to.equal(200);
      return ((await answer.json()) as { uid: string }).uid;
    };

    it('are one address: an API key leads to the cell of its workspace', async () => {
      expect(await readFile(path.join(folder, 'cells.map'), 'utf8')).to.include(
        `${moved.key.slice(0, 19)} cell_b\n`,
      );
      for (const { key, workspace } of [moved, other]) {
        expect(await workspaceBy(`Bearer ${key}`)).to.equal(workspace);
        expect(await workspaceBy(`bearer ${key}`)).to.equal(workspace);
      }
    });

    it('issue tokens: the client id leads to the cell, in the header or in the body', async () => {
      for (const { application, workspace } of [moved, other]) {
        const { client_id: id, client_secret: secret } = clients[application]!;
        for (const isBasic of [true, false]) {
          const answer = await fetch(`${url}/api/v2/oauth/token`, {
            method: 'POST',
            headers: isBasic ? { authorization: `Basic ${btoa(`${id}:${secret}`)}` } : {},
            body: new URLSearchParams({
              grant_type: 'client_credentials',
              ...(isBasic ? {} : { client_id: id, client_secret: secret }),
            }),
          });
          expect(answer.status, await answer.clone().text()).to.equal(200);
          const { access_token: token } = (await answer.json()) as { access_token: string };
          const cell = workspace === moved.workspace ? b! : a!;
          const there = await fetch(`${cell.url}/api/v2/workspace`, {
            headers: { authorization: `Bearer ${token}` },
          });
          expect(there.status).to.equal(200);
        }
      }
    });

    it('refuse unknown credentials and serve public pages from the default cell', async () => {
      const unknown = `${other.key.slice(0, 10)}0000000000${other.key.slice(20)}`;
      const refused = await fetch(`${url}/api/v2/workspace`, {
        headers: { authorization: `Bearer ${unknown}` },
      });
      expect(refused.status).to.equal(401);
      expect((await fetch(`${url}/healthz`)).status).to.equal(200);
    });
  });
});
