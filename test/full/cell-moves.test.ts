import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { systemClock } from '#lib/core/clock.ts';
import { NUMBERS_PER_CELL } from '#lib/database/number-range.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { appendEverywhere } from '#lib/audit/audit.write.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { verifyLog } from '#lib/audit/log.query.ts';
import { WRONG_CODES_MAX } from '#lib/access/code-lock.ts';
import { codeAt } from '#lib/access/one-time-code.ts';
import { consumeCode } from '#lib/access/prove-person.command.ts';
import { awaitWriters } from '#lib/cells/await-writers.ts';
import { lockImport } from '#lib/cells/move-lock.ts';
import { beginMove, completeMove, giveUpMove } from '#lib/cells/move.command.ts';
import { createClient } from '#lib/client/client.ts';
import { govern } from '#lib/governance/govern.ts';
import { tenantsWithPending } from '#lib/audit/sequencer.write.ts';
import { startApi, type ApiProcess } from '../support/api-process.ts';
import { writeBareRow } from '../support/bare-row.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { openCell, type Cell } from '../support/cell.ts';
import { commandEnv } from '../support/cli.ts';
import { formOf, startConsole } from '../support/console.ts';
import { eventually } from '../support/runs.ts';
import { createSealedRun } from '../support/sealed-run.ts';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';

describe('the move of a workspace to another cell', function () {
  let folder: string;
  let file: string;
  let [a, b]: Cell[] = [];
  let apis: ApiProcess[] = [];
  let urlOf: { a: string; b: string };
  let tenancy: Tenancy;
  let bystander: Tenancy;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-move-'));
    file = path.join(folder, 'cells.json');
    a = await openCell('assay_test_move_a', 1);
    b = await openCell('assay_test_move_b', 2);
    apis = await Promise.all([a, b].map(({ ownerUrl }) => startApi({ ownerUrl, redis: undefined })));
    urlOf = { a: apis[0]!.url, b: apis[1]!.url };
    bystander = await buildTenancy(a);
    for (const [name, { ownerUrl, superuserUrl }] of Object.entries({ a, b })) {
      const lines = [`DATABASE_URL=${ownerUrl}`, `DATABASE_DIRECT_URL=${superuserUrl}`];
      await writeFile(path.join(folder, `${name}.env`), `${lines.join('\n')}\n`);
    }
  });

  beforeEach(async () => {
    tenancy = await buildTenancy(a!);
    const cells = {
      a: { address: urlOf.a, servers: ['127.0.0.1:1'], environment: 'a.env' },
      b: { address: urlOf.b, servers: ['127.0.0.1:2'], environment: 'b.env' },
    };
    await writeFile(file, JSON.stringify({ default: 'a', cells, workspaces: {} }));
  });

  after(async () => {
    await Promise.all(apis.map((api) => api.stop()));
    await Promise.all([a?.close(), b?.close()]);
    await rm(folder, { recursive: true });
  });

  const move = (cell: Cell, ...words: string[]) =>
    cell.assay('workspace', 'move', tenancy.workspace, '--to', 'b', '--directory', file, '--json', ...words);
  const begin = () => {
    const actor = { kind: 'person', uid: tenancy.person } as const;
    const target = { workspace: tenancy.workspace, to: 'b', address: urlOf.b };
    return govern(a!.orm('operator'), beginMove, target, { actor, clock: systemClock });
  };
  const giveUp = () =>
    govern(
      a!.orm('operator'),
      giveUpMove,
      { workspace: tenancy.workspace, to: 'b', reason: 'test' },
      { actor: unnamed, clock: systemClock },
    );
  const call = (url: string, key: string, at = 'workspace', init: RequestInit = {}) =>
    fetch(`${url}/api/v2/${at}`, {
      ...init,
      redirect: 'manual',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
  const obligation = { method: 'POST', body: JSON.stringify({ statement: 'x' }) };
  const opsOf = (cell: Cell) =>
    cell
      .sql<{ op: string }>(
        `select op from audit_entry where workspace_uid = $1 and environment = 'sandbox' and op like 'workspace.%' order by id`,
        [tenancy.workspace],
      )
      .then((rows) => rows.map(({ op }) => op));

  it('refuses writes with 503 and answers reads while the workspace is being moved', async () => {
    await begin();
    const read = await call(urlOf.a, tenancy.key);
    expect(read.status).to.equal(200);
    const written = await call(urlOf.a, tenancy.key, 'trust/evidence-packs', obligation);
    expect(written.status).to.equal(503);
    expect(written.headers.get('retry-after')).to.equal('5');
    expect((await written.json()) as object).to.include({ code: 'workspace_moving' });
    const other = await call(urlOf.a, bystander.key, 'trust/evidence-packs', { ...obligation, body: '{' });
    expect(other.status).to.equal(400); // it came as far as the body
    await giveUp();
    const again = await call(urlOf.a, tenancy.key, 'trust/evidence-packs', { ...obligation, body: '{' });
    expect(again.status).to.equal(400);
    expect(await opsOf(a!)).to.deep.equal(['workspace.move_begun', 'workspace.move_failed']);
  });

  for (const [title, role] of [
    ['the API', 'api'],
    ['a worker', 'worker'],
    ['an operator', 'operator'],
  ] as const) {
    it(`lets the database refuse a write of ${title} that was checked before the move began`, async () => {
      await begin();
      const { workspace, environment } = tenancy;
      const insert = inTenant(a!.orm(role), { workspace, environment }, (em) =>
        em.execute(`insert into audit_entry (workspace_uid, environment, body) values (?, ?, ?)`, [
          workspace,
          environment,
          '{}',
        ]),
      );
      const code = await insert.then(
        () => 'written',
        (error: { message: string }) => error.message,
      );
      expect(code).to.match(/the workspace rests/);
      await giveUp();
    });
  }

  it('hides the work of the workspace from the workers, and not from its readers', async () => {
    const uid = await createSealedRun(a!, tenancy, forecastsRun);
    const { workspace, environment } = tenancy;
    const runsOf = (role: 'worker' | 'api') =>
      inTenant(a!.orm(role), { workspace, environment }, (em) =>
        em.execute('select uid from run where uid = ?', [uid]),
      );
    const waits = async () =>
      (await inPlatform(a!.orm('worker'), tenantsWithPending)).some((each) => each.workspace === workspace);
    expect([(await runsOf('worker')).length, await waits()]).to.deep.equal([1, true]);
    await begin();
    expect([(await runsOf('worker')).length, await waits()]).to.deep.equal([0, false]);
    expect(await runsOf('api')).to.have.length(1);
    await giveUp();
  });

  it('lets events of the deployment pass by a workspace that is being moved', async () => {
    await begin();
    const event = { op: 'signing_key.rotated', subject: { type: 'signing_key', uid: 'k' } } as const;
    await inPlatform(a!.orm('operator'), (em) =>
      appendEverywhere(em, { ...event, actor: unnamed, at: new Date() }),
    );
    await giveUp();
  });

  it('brings everything into the other cell and refers callers to it', async () => {
    const run = await createSealedRun(a!, tenancy, forecastsRun);
    await a!.placeEntries(tenancy.workspace);
    const moved = await move(a!);
    expect(moved.status, moved.stderr).to.equal(0);
    expect(moved.json).to.include({
      workspace: tenancy.workspace,
      to: 'b',
      address: urlOf.b,
      seals_verified: 1,
    });
    for (const [method, at] of [
      ['GET', `workspace?x=1`],
      ['POST', 'trust/evidence-packs'],
    ] as const) {
      const answer = await call(urlOf.a, tenancy.key, at, { method });
      expect(answer.status).to.equal(421);
      expect(answer.headers.get('location')).to.equal(`${urlOf.b}/api/v2/${at}`);
      expect((await answer.json()) as object).to.include({ code: 'workspace_moved', address: urlOf.b });
    }
    expect((await call(urlOf.a, bystander.key)).status).to.equal(200);
    const there = await call(urlOf.b, tenancy.key, `planning/forecasts/${run}`);
    expect(there.status, await there.clone().text()).to.equal(200);
    expect(JSON.parse(await readFile(file, 'utf8')).workspaces).to.deep.equal({ [tenancy.workspace]: 'b' });
    await b!.placeEntries(tenancy.workspace);
    const tenant = { workspace: tenancy.workspace, environment: 'sandbox' as const };
    const [old, now] = await Promise.all(
      [a!, b!].map((cell) => inTenant(cell.orm('operator'), tenant, verifyLog)),
    );
    expect(now!.size).to.be.greaterThan(old!.size);
    expect(await opsOf(a!)).to.deep.equal(['workspace.move_begun']);
    expect(await opsOf(b!)).to.deep.equal(['workspace.move_begun', 'workspace.imported', 'workspace.moved']);
    expect((await move(a!)).stderr).to.match(/cell_unchanged/);
  });

  it('can be undone by a move back, which replaces the old copy and continues its log', async () => {
    await createSealedRun(a!, tenancy, forecastsRun);
    await a!.placeEntries(tenancy.workspace);
    expect((await move(a!)).status).to.equal(0);
    await b!.placeEntries(tenancy.workspace);
    const back = await b!.assay(
      ...['workspace', 'move', tenancy.workspace, '--to', 'a', '--directory', file, '--json'],
    );
    expect(back.status, back.stderr).to.equal(0);
    expect((await call(urlOf.a, tenancy.key)).status).to.equal(200);
    const there = await call(urlOf.b, tenancy.key);
    expect([there.status, there.headers.get('location')]).to.deep.equal([421, `${urlOf.a}/api/v2/workspace`]);
    const written = await call(urlOf.a, tenancy.key, 'trust/evidence-packs', { method: 'POST', body: '{' });
    expect(written.status).to.equal(400); // it came as far as the body
    await a!.placeEntries(tenancy.workspace);
    await inTenant(a!.orm('operator'), { workspace: tenancy.workspace, environment: 'sandbox' }, verifyLog);
    expect((await opsOf(a!)).slice(-3)).to.deep.equal([
      'workspace.move_begun',
      'workspace.imported',
      'workspace.moved',
    ]);
  });

  it('keeps numbers of both cells, so that the next number is free after a move back', async () => {
    const { workspace } = tenancy;
    const numberIn = async (cell: Cell, name: string) => {
      const words = ['--workspace', workspace, '--name', name];
      const made = await cell.assay('company', 'create', ...words, '--json');
      expect(made.status, made.stderr).to.equal(0);
      return made.json.id as number;
    };
    const first = await numberIn(a!, 'First');
    expect((await move(a!)).status).to.equal(0);
    expect(await numberIn(b!, 'Second')).to.be.above(2 * NUMBERS_PER_CELL);
    // As after the old cell was restored from a backup: the workspace has a number that the old cell assigns later.
    await b!.sql(
      `insert into company (id, workspace_uid, name, created_at) overriding system value values ($1, $2, 'Later', now())`,
      [first + 900, workspace],
    );
    const back = await b!.assay('workspace', 'move', workspace, '--to', 'a', '--directory', file);
    expect(back.status, back.stderr).to.equal(0);
    expect(await numberIn(a!, 'Third')).to.equal(first + 901);
  });

  describe('whose old copy is deleted', () => {
    const purge = (cell: Cell, person: string) =>
      cell.assay(...['workspace', 'purge', tenancy.workspace, '--directory', file, '--as', person, '--json']);
    const addPerson = async (name: string) => {
      const words = [
        '--workspace',
        tenancy.workspace,
        '--name',
        name,
        '--email',
        `${name}@example.com`,
        '--roles',
        'approver',
      ];
      const made = await a!.assay('person', 'create', ...words, '--json');
      expect(made.status, made.stderr).to.equal(0);
      return made.json.uid as string;
    };
    const age = (days: number) =>
      a!.sql(
        `update workspace_move set moved_at = now() - make_interval(days => $2) where workspace_uid = $1`,
        [tenancy.workspace, days],
      );

    it('needs two persons and 30 days, keeps the forwarding and the last checkpoints, and can return', async () => {
      const { workspace, person, key } = tenancy;
      const second = await addPerson('second');
      await createSealedRun(a!, tenancy, forecastsRun);
      await a!.placeEntries(workspace);
      expect((await purge(a!, person)).stderr).to.match(/^not_moved: /m);
      expect((await move(a!)).status).to.equal(0);
      const [newest] = await a!.sql<{ size: string; root: string }>(CHECKPOINT, [workspace]);
      expect((await purge(a!, person)).stderr).to.match(/^copy_kept: /m);
      await age(31);
      const requested = await purge(a!, person);
      expect(requested.json, requested.stderr).to.include({ state: 'requested', rows: null });
      expect((await purge(a!, person)).stderr).to.match(/^same_person: /m);
      expect(await a!.sql('select from run where workspace_uid = $1', [workspace])).to.have.length(1);
      const purged = await purge(a!, second);
      expect(purged.json, purged.stderr).to.include({ state: 'purged' });
      expect(purged.json.rows).to.be.above(0);
      for (const table of ['run', 'audit_entry', 'person_code', 'company'])
        expect(await a!.sql(`select from ${table} where workspace_uid = $1`, [workspace])).to.have.length(0);
      const persons = await a!.sql<{ name: string }>('select name from person where workspace_uid = $1', [
        workspace,
      ]);
      expect(new Set(persons.map(({ name }) => name))).to.deep.equal(new Set(['deleted']));
      expect(await a!.sql(CHECKPOINT, [workspace])).to.deep.equal([newest]);
      const referred = await call(urlOf.a, key);
      expect([referred.status, referred.headers.get('location')]).to.deep.equal([
        421,
        `${urlOf.b}/api/v2/workspace`,
      ]);
      expect((await opsOf(b!)).slice(-3)).to.deep.equal([
        'workspace.purge_requested',
        'workspace.purge_approved',
        'workspace.copy_purged',
      ]);
      expect((await purge(a!, person)).stderr).to.match(/^copy_purged: /m);
      const back = await b!.assay('workspace', 'move', workspace, '--to', 'a', '--directory', file);
      expect(back.status, back.stderr).to.equal(0);
      await a!.placeEntries(workspace);
      await inTenant(a!.orm('operator'), { workspace, environment: 'sandbox' }, verifyLog);
      expect((await call(urlOf.a, key)).status).to.equal(200);
    });

    it('stays if the other cell lacks its log, or if a neighbour uses its data', async () => {
      const { workspace, person } = tenancy;
      const { second, dataset } = await moveAway();
      await a!.sql(
        `set session_replication_role = replica;
         insert into audit_checkpoint (workspace_uid, environment, tree_size, root_hash, at)
         values ('${workspace}', 'sandbox', 1000000, repeat('0', 64), now())`,
      );
      expect((await purge(a!, person)).stderr).to.match(/^copy_needed: /m);
      await a!.sql(
        `set session_replication_role = replica;
         delete from audit_checkpoint where workspace_uid = '${workspace}' and tree_size = 1000000`,
      );
      await a!.sql('insert into dataset_entitlement values ($1, $2, now())', [dataset, bystander.workspace]);
      const requested = await purge(a!, person);
      expect(requested.status, requested.stderr).to.equal(0);
      expect((await purge(a!, second)).stderr).to.match(/^copy_in_use: .* rows of dataset_entitlement/m);
      expect(await a!.sql('select from run where workspace_uid = $1', [workspace])).to.have.length(1);
    });

    /** Moves the workspace with a run and a dataset, more than 30 days ago. Returns the dataset and a second person. */
    const moveAway = async () => {
      const { workspace } = tenancy;
      const second = await addPerson('second');
      await createSealedRun(a!, tenancy, forecastsRun);
      await a!.placeEntries(workspace);
      const [dataset] = await a!.sql<{ id: number }>(
        `insert into dataset (uid, workspace_uid, kind, name, created_at)
         values ('dts_held_' || $1, $1, 'prices', 'Held', now()) returning id`,
        [workspace],
      );
      expect((await move(a!)).status).to.equal(0);
      await age(31);
      return { second, dataset: dataset!.id };
    };
    /** Moves the workspace away, and requests to delete its copy. */
    const request = async () => {
      const moved = await moveAway();
      const requested = await purge(a!, tenancy.person);
      expect(requested.status, requested.stderr).to.equal(0);
      return moved;
    };
    const expectWhole = async () => {
      for (const table of ['run', 'audit_entry', 'dataset'])
        expect(
          await a!.sql(`select from ${table} where workspace_uid = $1`, [tenancy.workspace]),
          table,
        ).to.not.have.length(0);
      const departed = `select from person where workspace_uid = $1 and state = 'departed'`;
      expect(await a!.sql(departed, [tenancy.workspace])).to.have.length(0);
    };

    for (const [title, change, error] of [
      [
        'the workspace returns',
        `set session_replication_role = replica; delete from workspace_move where state = 'moved'`,
        /^not_moved: /m,
      ],
      [
        'the command loses its lock',
        `select pg_terminate_backend(pid) from pg_locks join pg_database d on d.oid = database
         where locktype = 'advisory' and granted and datname = current_database()`,
        /connection/i,
      ],
    ] as const) {
      it(`stays if ${title} after the check of its approval`, async () => {
        const { second } = await request();
        const gate = new Client({ connectionString: b!.superuserUrl });
        await gate.connect();
        try {
          await gate.query('select pg_advisory_lock(42)');
          await b!.sql(commitWaits('workspace.purge_approved'));
          const purging = purge(a!, second);
          await eventually(async () => (await b!.sql(WAITS_FOR_42)).length > 0);
          await a!.sql(change);
          await gate.query('select pg_advisory_unlock(42)');
          const { status, stderr } = await purging;
          expect([status, stderr]).to.deep.equal([1, stderr]);
          expect(stderr).to.match(error);
          await expectWhole();
        } finally {
          await gate.end();
          await b!.sql(WAITS_NO_LONGER);
        }
      });
    }

    it('stays while an import of the workspace is running', async () => {
      const { second } = await request();
      const importing = new Client({ connectionString: a!.superuserUrl });
      await importing.connect();
      try {
        await importing.query('begin');
        await lockImport(importing, tenancy.workspace);
        expect((await purge(a!, second)).stderr).to.match(/^move_running: an import /m);
        await expectWhole();
      } finally {
        await importing.end();
      }
    });

    it('stays if a neighbour begins to use its data during the deletion', async () => {
      const { second, dataset } = await request();
      const neighbour = new Client({ connectionString: a!.superuserUrl });
      await neighbour.connect();
      try {
        await neighbour.query('begin');
        await neighbour.query('insert into dataset_entitlement values ($1, $2, now())', [
          dataset,
          bystander.workspace,
        ]);
        const purging = purge(a!, second);
        await eventually(async () => (await a!.sql(WAITS_FOR_ROW)).length > 0);
        await neighbour.query('commit');
        expect((await purging).stderr).to.match(/^copy_in_use: .* rows of dataset_entitlement/m);
        await expectWhole();
      } finally {
        await neighbour.end();
      }
    });
  });

  it('is followed once by the client, which then goes to the new address first', async () => {
    const client = createClient({ baseUrl: urlOf.a, apiKey: tenancy.key });
    expect((await client.GET('/workspace')).data.uid).to.equal(tenancy.workspace);
    expect((await move(a!)).status).to.equal(0);
    const first = await client.GET('/workspace');
    const second = await client.GET('/workspace');
    for (const { response } of [first, second]) expect(new URL(response.url).origin).to.equal(urlOf.b);
  });

  it('refers OAuth clients to the new address, where their secret gets a token', async () => {
    const issued = await a!.assay('oauth', 'issue', '--app', tenancy.application, '--json');
    expect(issued.status, issued.stderr).to.equal(0);
    const { client_id: clientId, client_secret: clientSecret } = issued.json;
    expect((await move(a!)).status).to.equal(0);
    const refused = await fetch(`${urlOf.a}/api/v2/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect([refused.status, refused.headers.get('location')]).to.deep.equal([
      421,
      `${urlOf.b}/api/v2/oauth/token`,
    ]);
    const client = createClient({ baseUrl: urlOf.a, clientId, clientSecret });
    expect((await client.GET('/workspace')).data.uid).to.equal(tenancy.workspace);
  });

  it('refers persons with a session or a link of the old console to the new address', async () => {
    const console = await startConsole(a!);
    try {
      const cookie = await console.signIn(tenancy.person);
      const linked = await a!.assay('person', 'console-link', tenancy.person, '--json');
      const link = new URL(linked.json.link).hash.slice(1);
      expect((await console.ask('/console', { headers: { cookie } })).status).to.equal(200);
      expect((await move(a!)).status).to.equal(0);
      for (const [path, request] of [
        ['/console', { headers: { cookie } }],
        ['/console/sign-out', formOf({ token: 'x' }, { cookie })],
        ['/console/sign-in', formOf({ link })],
      ] as const) {
        const answer = await console.ask(path, request);
        const page = await answer.text();
        expect([path, answer.status]).to.deep.equal([path, 421]);
        expect(page).to.include(`href="${urlOf.b}/console"`).and.include('workspace_moved');
      }
      const other = await console.signIn(bystander.person);
      expect((await console.ask('/console', { headers: { cookie: other } })).status).to.equal(200);
    } finally {
      await console.stop();
    }
  });

  it('leaves the workspace where it is if the target refuses it', async () => {
    const printed = await a!.assay(
      'counterparty',
      'create',
      '--workspace',
      tenancy.workspace,
      '--name',
      'Bank',
      '--json',
    );
    const other = await buildTenancy(b!);
    await b!.sql(
      `insert into counterparty (id, workspace_uid, name, kind, created_at) overriding system value
       values ($1, $2, 'Taken', 'counterparty', now())`,
      [printed.json.id, other.workspace],
    );
    const refused = await move(a!);
    expect([refused.status, refused.stderr]).to.deep.equal([1, refused.stderr]);
    expect(refused.stderr).to.match(/^id_taken: counterparty_pkey: .* CELL_NUMBER/m);
    expect(await b!.sql('select from workspace where uid = $1', [tenancy.workspace])).to.deep.equal([]);
    expect(
      await a!.sql('select from workspace_move where workspace_uid = $1', [tenancy.workspace]),
    ).to.deep.equal([]);
    expect(await opsOf(a!)).to.deep.equal(['workspace.move_begun', 'workspace.move_failed']);
    expect((await call(urlOf.a, tenancy.key)).status).to.equal(200);
    expect(JSON.parse(await readFile(file, 'utf8')).workspaces).to.deep.equal({});
  });

  /** Runs work while a transaction of another workspace is open. */
  const whileWriting = async (work: (writer: Client) => Promise<void>) => {
    const writer = new Client({ connectionString: a!.superuserUrl });
    await writer.connect();
    try {
      await writer.query('begin');
      await writer.query('update workspace set name = name where uid = $1', [bystander.workspace]);
      await work(writer);
    } finally {
      await writer.end();
    }
  };
  const stateIn = async (cell: Cell) =>
    (
      await cell.sql<{ state: string }>('select state from workspace_move where workspace_uid = $1', [
        tenancy.workspace,
      ])
    )[0]?.state;
  /** Waits until a move has frozen the workspace and has looked for open transactions. */
  const untilWaiting = async () => {
    await eventually(async () => (await stateIn(a!)) === 'moving');
    await eventually(
      async () =>
        (
          await a!.sql(
            `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
             and query like '%age(backend_xmin)%'`,
          )
        ).length > 0,
    );
  };

  it('waits for writes in progress, and gives up if one does not end', () =>
    whileWriting(async (writer) => {
      const refused = await move(a!, '--wait', '1');
      expect(refused.stderr).to.match(/^transactions_open: /m);
      const moving = move(a!);
      await untilWaiting();
      await writer.query('commit');
      expect((await moving).status).to.equal(0);
    }));

  it('is refused while another process moves the workspace, and disturbs it in nothing', () =>
    whileWriting(async (writer) => {
      const first = move(a!);
      await untilWaiting();
      const second = await move(a!, '--wait', '1');
      expect([second.status, second.stderr]).to.deep.equal([1, second.stderr]);
      expect(second.stderr).to.match(/^move_running: /m);
      expect(await stateIn(a!)).to.equal('moving');
      await writer.query('commit');
      const { status, stderr } = await first;
      expect(status, stderr).to.equal(0);
    }));

  it('leaves the workspace frozen while the target commits the import of a process that has died', async () => {
    const gate = new Client({ connectionString: b!.superuserUrl });
    await gate.connect();
    try {
      await gate.query('select pg_advisory_lock(42)');
      await b!.sql(commitWaits('workspace.imported'));
      const words = ['workspace', 'move', tenancy.workspace, '--to', 'b', '--directory', file];
      const variables = { DATABASE_DIRECT_URL: a!.superuserUrl };
      const dying = spawn(process.execPath, ['api/cli/main.ts', ...words], {
        env: commandEnv({ ownerUrl: a!.ownerUrl, variables }),
        stdio: 'ignore',
      });
      const commits = () => b!.sql(WAITS_FOR_42);
      await eventually(async () => (await commits()).length > 0);
      const ended = once(dying, 'exit');
      dying.kill('SIGKILL');
      await ended;
      const refused = await eventually(async () => {
        const { stderr } = await move(a!);
        return !stderr.includes('another command') && stderr;
      });
      expect(refused).to.match(/^move_running: an import /m);
      expect(await stateIn(a!)).to.equal('moving');
      await gate.query('select pg_advisory_unlock(42)');
      const again = await move(a!);
      expect(again.status, again.stderr).to.equal(0);
      expect([await stateIn(a!), await stateIn(b!)]).to.deep.equal(['moved', undefined]);
    } finally {
      await gate.end();
      await b!.sql(WAITS_NO_LONGER);
    }
  });

  it('is not given up and not completed if the old cell has no record of it', async () => {
    const outcomes = await Promise.all([
      giveUp().then(() => 'done', String),
      govern(
        a!.orm('operator'),
        completeMove,
        { workspace: tenancy.workspace, manifestHash: '0'.repeat(64) },
        { actor: unnamed, clock: systemClock },
      ).then(() => 'done', String),
    ]);
    expect(outcomes[0]).to.match(/there is no move/);
    expect(outcomes[1]).to.match(/has no record of this move/);
    expect(await opsOf(a!)).to.deep.equal([]);
  });

  it('waits for writers that a role without the right to read statistics moves past', () =>
    whileWriting(async () => {
      await a!.sql(`create role assay_test_mover login bypassrls password 'mover'`);
      try {
        const url = new URL(a!.superuserUrl);
        [url.username, url.password] = ['assay_test_mover', 'mover'];
        const refused = await awaitWriters(url.href, 100).then(() => 'done', String);
        expect(refused).to.match(/process \d+ \(.*\) of the database has had a transaction open; end it/);
      } finally {
        await a!.sql('drop role assay_test_mover');
      }
    }));

  it('fails with an error that can be undone if the connection is lost while it waits', () =>
    whileWriting(async () => {
      const waiting = awaitWriters(a!.superuserUrl, 600_000).then(() => 'done', String);
      await eventually(
        async () =>
          (
            await a!.sql(
              `select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and pid <> pg_backend_pid()
                 and state = 'idle' and query like '%age(backend_xmin)%'`,
            )
          ).length > 0,
      );
      expect(await waiting).to.match(/terminat|not queryable/i);
    }));

  it('is rehearsed by a dry run, which says how long it takes and changes neither cell', async () => {
    await createSealedRun(a!, tenancy, forecastsRun);
    await a!.placeEntries(tenancy.workspace);
    const { status, json, stderr } = await move(a!, '--dry-run');
    expect(status, stderr).to.equal(0);
    expect(json).to.deep.include({ workspace: tenancy.workspace, to: 'b', blockers: [] });
    const { rows, bytes, tables } = json as { rows: number; bytes: number; tables: { rows: number }[] };
    expect(tables.reduce((sum, table) => sum + table.rows, 0)).to.equal(rows);
    expect(bytes).to.be.above(rows);
    expect(json.expected_frozen_seconds).to.be.above(0);
    expect(await b!.sql('select from workspace where uid = $1', [tenancy.workspace])).to.have.length(0);
    expect([await stateIn(a!), await opsOf(a!)]).to.deep.equal([undefined, []]);
    expect((await move(a!)).status).to.equal(0);
  });

  it('does not begin if records refer to a dataset of a neighbour, and names each with its remedy', async () => {
    const { workspace, person } = tenancy;
    const [dataset] = await a!.sql<{ id: number }>(
      `insert into dataset (uid, workspace_uid, kind, name, created_at)
       values ('dts_of_bystander', $1, 'prices', 'Lent', now()) returning id`,
      [bystander.workspace],
    );
    const write = async (table: string, fixed: Record<string, unknown>) => {
      const client = new Client({ connectionString: a!.superuserUrl });
      await client.connect();
      try {
        await writeBareRow(client, table, { workspace_uid: workspace, ...fixed }, workspace);
      } finally {
        await client.end();
      }
    };
    const of = { dataset_id: dataset!.id };
    for (const [uid, state] of Object.entries({ ent_one: 'proposed', ent_two: 'proposed', ent_old: 'ended' }))
      await write('data_entitlement', { ...of, uid, state, proposed_by_uid: person });
    await write('feature', { uid: 'fea_one', key: 'momentum', owner_uid: person, status: 'active' });
    await write('feature_version', { ...of, uid: 'fev_one', feature_uid: 'fea_one', created_by_uid: person });
    const { status, json } = await move(a!, '--dry-run');
    expect(status).to.equal(1);
    const found = json.blockers as { table: string; record: string; target: string; remedy: string }[];
    expect(found.map(({ table, record, remedy }) => [table, record, remedy])).to.have.deep.members([
      ['data_entitlement', 'ent_one', 'assay entitlement end ent_one'],
      ['data_entitlement', 'ent_two', 'assay entitlement end ent_two'],
      ['feature_version', 'momentum', 'assay feature retire momentum'],
    ]);
    expect(new Set(found.map(({ target }) => target))).to.deep.equal(new Set(['dts_of_bystander']));
    const refused = await move(a!);
    for (const { remedy } of found) expect(refused.stderr).to.include(remedy);
    expect(refused.stderr).to.match(/^references_foreign: /m);
    expect([await stateIn(a!), await opsOf(a!)]).to.deep.equal([undefined, []]);
    // The remaining records describe past use only, so the dataset must exist in the other cell.
    await a!.sql(`update data_entitlement set state = 'ended' where workspace_uid = $1`, [workspace]);
    await a!.sql(`update feature set status = 'retired' where workspace_uid = $1`, [workspace]);
    const later = await move(a!, '--dry-run');
    expect(later.json.blockers).to.have.length(1);
    expect(later.json.blockers[0]).to.include({ code: 'shared_row_missing' });
    expect(later.json.blockers[0].detail).to.include('dts_of_bystander');
  });

  it('goes on where it was interrupted', async () => {
    await begin();
    const before = await move(a!); // as after a crash before the import
    expect(before.status, before.stderr).to.equal(0);
    // As after a crash between the import and the record in the old cell.
    await a!.sql(`update workspace_move set state = 'moving', moved_at = null where workspace_uid = $1`, [
      tenancy.workspace,
    ]);
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"wsp_\w+": "b"/, ''));
    const after = await move(a!);
    expect(after.status, after.stderr).to.equal(0);
    expect(after.json).to.include({ rows: null, seals_verified: null, frozen_ms: null });
    expect((await call(urlOf.a, tenancy.key)).status).to.equal(421);
    expect((await call(urlOf.b, tenancy.key)).status).to.equal(200);
  });

  it('goes on after the old cell has recorded it, and records the arrival once', async () => {
    await b!.sql(failing('workspace.moved'));
    const failed = await move(a!);
    await b!.sql(NOT_FAILING);
    expect([failed.status, await stateIn(a!)]).to.deep.equal([1, 'moved']);
    const unlisted = await readFile(file, 'utf8');
    expect(JSON.parse(unlisted).workspaces).to.deep.equal({});
    for (const attempt of [1, 2]) {
      await writeFile(file, unlisted); // as after a crash before the directory was written
      const again = await move(a!);
      expect(again.status, `${attempt}: ${again.stderr}`).to.equal(0);
      expect(again.json).to.include({ rows: null, frozen_ms: null });
      expect(JSON.parse(await readFile(file, 'utf8')).workspaces).to.deep.equal({ [tenancy.workspace]: 'b' });
    }
    expect(await opsOf(b!)).to.deep.equal(['workspace.move_begun', 'workspace.imported', 'workspace.moved']);
  });

  it('does not go on to a cell that the workspace has left again', async () => {
    const unlisted = await readFile(file, 'utf8');
    expect((await move(a!)).status).to.equal(0);
    await b!.sql(
      `insert into workspace_move (workspace_uid, state, to_cell, address, begun_at, moved_at)
       values ($1, 'moved', 'c', 'https://c.example', now(), now())`,
      [tenancy.workspace],
    );
    await writeFile(file, unlisted);
    expect((await move(a!)).stderr).to.match(/^already_moved: /m);
    expect(await readFile(file, 'utf8')).to.equal(unlisted);
  });

  it('accepts a one-time code when it goes on', async () => {
    const enrolled = await a!.assay('person', 'enrol', tenancy.person, '--json');
    expect(enrolled.status, enrolled.stderr).to.equal(0);
    await begin();
    const code = codeAt(enrolled.json.secret, systemClock.now());
    const again = await move(a!, '--as', tenancy.person, '--code', code);
    expect(again.status, again.stderr).to.equal(0);
  });

  it('counts wrong one-time codes while the workspace is being moved, and locks the person at the fifth', async () => {
    const { person, workspace } = tenancy;
    const enrolled = await a!.assay('person', 'enrol', person, '--json');
    expect(enrolled.status, enrolled.stderr).to.equal(0);
    await begin();
    const means = { orm: a!.orm('operator'), key: a!.keys.codes, clock: systemClock };
    const use = (code: string) =>
      consumeCode(means, { uid: person, name: 'x' }, { code, environment: 'sandbox' });
    for (let wrong = 1; wrong <= WRONG_CODES_MAX; wrong += 1)
      expect(await use('000000')).to.include({ ok: false, code: 'code_invalid' });
    const right = codeAt(enrolled.json.secret, systemClock.now());
    expect(await use(right)).to.include({ ok: false, code: 'code_locked' });
    expect((await move(a!, '--as', person, '--code', right)).stderr).to.match(/^code_locked: /m);
    expect(await locksOf(workspace)).to.deep.equal([]);
    await giveUp();
    expect(await locksOf(workspace)).to.deep.equal([person]);
  });

  const locksOf = async (workspace: string) => {
    const rows = await a!.sql<{ person: string }>(
      `select distinct body::json -> 'subject' ->> 'uid' as person from audit_entry
       where workspace_uid = $1 and op = 'person.code_locked'`,
      [workspace],
    );
    return rows.map(({ person }) => person);
  };

  it('lets the workspace accept writes again if a move back fails, although the target has the old copy', async () => {
    expect((await move(a!)).status).to.equal(0);
    await a!.sql(failing('workspace.imported'));
    const back = await b!.assay('workspace', 'move', tenancy.workspace, '--to', 'a', '--directory', file);
    await a!.sql(NOT_FAILING);
    expect([back.status, back.stderr]).to.deep.equal([1, back.stderr]);
    expect(back.stderr).to.not.match(/move_undecided/);
    expect([await stateIn(a!), await stateIn(b!)]).to.deep.equal(['moved', undefined]);
    expect((await opsOf(b!)).slice(-2)).to.deep.equal(['workspace.move_begun', 'workspace.move_failed']);
    expect((await call(urlOf.b, tenancy.key)).status).to.equal(200);
  });
});

const CHECKPOINT = `
  select tree_size as size, root_hash as root from audit_checkpoint
  where workspace_uid = $1 and environment = 'sandbox' order by tree_size desc limit 1`;

/** Makes the entry of an operation fail, with an error that is not a refusal. */
const failing = (op: string) => `
  create function entry_fails() returns trigger language plpgsql as $$
    begin raise exception 'no entry'; end $$;
  create trigger entry_fails before insert on audit_entry
    for each row when (new.body like '%${op}%') execute function entry_fails()`;
const NOT_FAILING = 'drop trigger entry_fails on audit_entry; drop function entry_fails';

/** Makes the commit of an operation wait for a lock, as it waits for a standby server. */
const commitWaits = (op: string) => `
  create function commit_waits() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(42); return null; end $$;
  create constraint trigger commit_waits after insert on audit_entry deferrable initially deferred
    for each row when (new.body like '%${op}%') execute function commit_waits()`;
const WAITS_NO_LONGER = 'drop trigger commit_waits on audit_entry; drop function commit_waits';
const WAITS_FOR_42 = `select from pg_locks where locktype = 'advisory' and not granted`;
const WAITS_FOR_ROW = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
