import { expect } from 'chai';
import { Client } from 'pg';
import { checkSeal } from '#lib/core/seal.ts';
import { ownerUrl, roleUrl } from '#lib/database/roles.ts';
import type { Readiness } from '#lib/ops/health.ts';
import { backendNames, startBackend, testCluster, type Backend } from '../support/backends.ts';
import { assay } from '../support/cli.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { clientOf, userOf } from '../support/client.ts';
import { importTiny } from '../support/import.ts';
import { createObligation, OBLIGATIONS } from '../support/obligation.ts';
import { pgbouncerIsThere, startPooler, type Pooler } from '../support/pgbouncer.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually, runRows } from '../support/runs.ts';

const [QUEUE] = backendNames;
const DATABASE = `assay_pooler_${QUEUE}`;
const CONNECTIONS = 20;
const NO_LIMITS = 'no limit behind the pooler: statement_timeout, idle_in_transaction_session_timeout';
const CLIENTS = 1_000;
const WORKSPACES = 16;
const TURNS = 5;

describe('Assay behind PgBouncer in transaction mode', function () {
  let pooler: Pooler;
  let running: Backend;

  before(async function () {
    if (!pgbouncerIsThere()) {
      console.log('      left out: PgBouncer is not installed');
      this.skip();
    }
    const cluster = await testCluster();
    const direct = ownerUrl(cluster.superuserUrl('postgres'), DATABASE);
    pooler = await startPooler(direct, CONNECTIONS);
    const urls = { DATABASE_URL: pooler.through(direct), DATABASE_DIRECT_URL: direct };
    running = await startBackend(QUEUE!, DATABASE, urls);
  });

  after(async () => {
    await running?.stop();
    await pooler?.stop();
  });

  const limitFaults = async () => {
    const variables = {
      DATABASE_URL: pooler.through(running.ownerUrl),
      DATABASE_DIRECT_URL: running.ownerUrl,
    };
    const { json } = await assay(
      { ownerUrl: running.ownerUrl, redis: running.redis, variables },
      'doctor',
      '--json',
    );
    const found = json.data as { check: string; status: string; seen: string; remedy: string }[];
    expect(found.some(({ check }) => check === 'time limits')).to.equal(true);
    // A pooler hides which processes have connections, so the doctor must not call one missing.
    expect(found.filter(({ check }) => check === 'processes').map(({ status }) => status)).to.deep.equal([
      'warning',
    ]);
    return found.filter(({ check, status }) => check === 'time limits' && status === 'fault');
  };
  const limited = ['api', 'worker', 'console'].map((role) => `${DATABASE}_${role}`);

  it('accepts time limits of the database, which a role can switch off', async () => {
    const alter = (statements: readonly string[]) =>
      asSuperuser(running, async (client) => {
        for (const statement of statements) await client.query(`alter ${statement}`);
      });
    const settings = ['statement_timeout', 'idle_in_transaction_session_timeout'];
    await alter([
      ...limited.map((role) => `role ${role} reset all`),
      ...settings.map((name) => `database ${DATABASE} set ${name} = '30s'`),
    ]);
    try {
      await pooler.reconnect();
      expect(await limitFaults()).to.deep.equal([]);
      for (const part of running.opsUrls.keys())
        await eventually(async () => (await readiness(part)).status === 'ready', `${part} is ready`);
      await alter([`role ${limited[0]} set statement_timeout = 0`]);
      const faults = await limitFaults();
      expect(faults.map(({ seen }) => seen.split(',')[0])).to.deep.equal([
        `${limited[0]} has no statement_timeout`,
      ]);
    } finally {
      await alter([`database ${DATABASE} reset all`, `role ${limited[0]} reset all`]);
    }
  });

  it('is degraded and found faulty until the roles have the time limits that the pooler drops', async () => {
    // Roles outlive their database, so an earlier run of this test may have set the limits.
    await asSuperuser(running, async (client) => {
      for (const role of limited) await client.query(`alter role ${role} reset all`);
    });
    await pooler.reconnect();
    for (const part of running.opsUrls.keys()) {
      await eventually(async () => {
        const { status, checks } = await readiness(part);
        return status === 'degraded' && checks['limits']!.reason === NO_LIMITS;
      }, `${part} is degraded`);
    }
    const faults = await limitFaults();
    expect(faults.map(({ seen }) => seen.split(' ')[0])).to.deep.equal(limited);
    // The remedies are statements that the owner can run.
    const owner = new Client({ connectionString: running.ownerUrl });
    await owner.connect();
    for (const { remedy } of faults) {
      for (const statement of remedy.match(/alter role "\w+" set \w+ = '\d+s'/g)!)
        await owner.query(statement);
    }
    await owner.end();
    await pooler.reconnect();
    expect(await limitFaults()).to.deep.equal([]);
    for (const part of running.opsUrls.keys()) {
      await eventually(async () => (await readiness(part)).status === 'ready', `${part} is ready`);
    }
  });

  async function readiness(part: string): Promise<Readiness> {
    return (await (await fetch(`${running.opsUrls.get(part)!}/readyz`)).json()) as Readiness;
  }

  it('seals a run while its caller waits, which needs notices', async () => {
    const tenancy = await buildTenancy(running);
    await importTiny(running, tenancy.workspace);
    const started = performance.now();
    const run = await userOf(running, tenancy.key).submit('/investment/theme-watch/factors');
    expect(checkSeal(await run.sealed())).to.include({ intact: true });
    expect(performance.now() - started).to.be.below(20_000);
    expect(await runRows(running, tenancy.workspace)).to.have.lengthOf(1);
  });

  it('keeps 16 workspaces apart that read and write while 1,000 other clients use the same 20 connections', async () => {
    const tenancies: Tenancy[] = [];
    for (let count = 0; count < WORKSPACES; count += 1) tenancies.push(await buildTenancy(running));
    await withClients(async (clients) => {
      const isDone = { value: false };
      const crowd = Promise.all(
        clients.map(async (client, number) => {
          while (!isDone.value) await settingsOf(client, `wsp_${number}`);
        }),
      );
      try {
        await Promise.all(tenancies.map(registerAndRead));
      } finally {
        isDone.value = true;
        await crowd;
      }
    });
  });

  /** Registers obligations and reads them back. Each answer must be about the own workspace alone. */
  async function registerAndRead(tenancy: Tenancy): Promise<void> {
    const client = clientOf(running, tenancy.key);
    const written: string[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      written.push(await createObligation(running, tenancy));
      const { body } = await client.get(OBLIGATIONS);
      expect((body.data as { uid: string }[]).map(({ uid }) => uid)).to.have.members(written);
      expect((await client.get('/workspace')).body.uid).to.equal(tenancy.workspace);
    }
  }

  it('never passes the settings of a transaction on, with 1,000 clients on 20 connections', async () => {
    const backends = new Set<number>();
    await withClients((clients) =>
      Promise.all(
        clients.map(async (client, number) => backends.add(await settingsOf(client, `wsp_${number}`))),
      ),
    );
    expect(backends.size).to.be.within(1, CONNECTIONS);
  });

  /** Opens 1,000 clients with the role of the API. */
  async function withClients(work: (clients: readonly Client[]) => Promise<unknown>): Promise<void> {
    const url = pooler.through(roleUrl(running.ownerUrl, 'api'));
    const clients = Array.from({ length: CLIENTS }, () => new Client({ connectionString: url }));
    try {
      for (let at = 0; at < CLIENTS; at += 50)
        await Promise.all(clients.slice(at, at + 50).map((each) => each.connect()));
      await work(clients);
    } finally {
      await Promise.all(clients.map((each) => each.end().catch(() => undefined)));
    }
  }
});

/**
 * Sets a workspace in a transaction and reads it back. Outside the transaction, no workspace may be set. Returns the
 * process of PostgreSQL that served the transaction.
 */
async function settingsOf(client: Client, workspace: string): Promise<number> {
  const outside = await client.query(`select current_setting('app.workspace', true) as workspace`);
  expect(outside.rows[0].workspace ?? '').to.equal('');
  await client.query('begin');
  await client.query(`select set_config('app.workspace', $1, true)`, [workspace]);
  const inside = await client.query(
    `select current_setting('app.workspace', true) as workspace, pg_backend_pid() as pid`,
  );
  expect(inside.rows[0].workspace).to.equal(workspace);
  await client.query('commit');
  return inside.rows[0].pid as number;
}
