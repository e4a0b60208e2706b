import { expect } from 'chai';
import { Client } from 'pg';
import { checkSeal } from '#lib/core/seal.ts';
import { ownerUrl, roleUrl } from '#lib/database/roles.ts';
import { backendNames, startBackend, testCluster, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf, userOf } from '../support/client.ts';
import { importTiny } from '../support/import.ts';
import { pgbouncerIsThere, startPooler, type Pooler } from '../support/pgbouncer.ts';
import { runRows } from '../support/runs.ts';

const [QUEUE] = backendNames;
const DATABASE = `assay_pooler_${QUEUE}`;
const CONNECTIONS = 20;
const CLIENTS = 1_000;
const WORKSPACES = 16;
const READS = 25;

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

  it('seals a run while its caller waits, which needs notices', async () => {
    const tenancy = await buildTenancy(running);
    await importTiny(running, tenancy.workspace);
    const started = performance.now();
    const run = await userOf(running, tenancy.key).submit('/investment/theme-watch/factors');
    expect(checkSeal(await run.sealed())).to.include({ intact: true });
    expect(performance.now() - started).to.be.below(20_000);
    expect(await runRows(running, tenancy.workspace)).to.have.lengthOf(1);
  });

  it('answers every workspace with its own data under concurrent requests of all', async () => {
    const tenancies = [];
    for (let count = 0; count < WORKSPACES; count += 1) tenancies.push(await buildTenancy(running));
    const answers = await Promise.all(
      tenancies.map(async ({ key, workspace }) => {
        const client = clientOf(running, key);
        const seen = new Set<string>();
        for (let count = 0; count < READS; count += 1) {
          const { status, body } = await client.get('/workspace');
          expect(status).to.equal(200);
          seen.add(body.uid as string);
        }
        return { workspace, seen: [...seen] };
      }),
    );
    for (const { workspace, seen } of answers) expect(seen).to.deep.equal([workspace]);
  });

  it('never passes the settings of a transaction on, with 1,000 clients on 20 connections', async () => {
    const url = pooler.through(roleUrl(running.ownerUrl, 'api'));
    const clients = Array.from({ length: CLIENTS }, () => new Client({ connectionString: url }));
    const backends = new Set<number>();
    try {
      // PostgreSQL derives a key from the password of each new connection, so the clients connect in groups.
      for (let at = 0; at < CLIENTS; at += 50)
        await Promise.all(clients.slice(at, at + 50).map((each) => each.connect()));
      await Promise.all(
        clients.map(async (client, number) => {
          const outside = await client.query(`select current_setting('app.workspace', true) as workspace`);
          expect(outside.rows[0].workspace ?? '').to.equal('');
          await client.query('begin');
          await client.query(`select set_config('app.workspace', $1, true)`, [`wsp_${number}`]);
          const inside = await client.query(
            `select current_setting('app.workspace', true) as workspace, pg_backend_pid() as pid`,
          );
          expect(inside.rows[0].workspace).to.equal(`wsp_${number}`);
          backends.add(inside.rows[0].pid as number);
          await client.query('commit');
        }),
      );
    } finally {
      await Promise.all(clients.map((each) => each.end().catch(() => undefined)));
    }
    expect(backends.size).to.be.within(1, CONNECTIONS);
  });
});
