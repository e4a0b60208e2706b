import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { sql } from 'kysely';
import { pino } from 'pino';
import { toProblem } from '#api/http/problem.ts';
import { askDirectly, inOneStatement, inPlatform, inTenant, openOrm, poolUse } from '#lib/database/orm.ts';
import { PrimaryClient } from '#lib/database/primary-client.ts';
import { databaseName, roleUrl } from '#lib/database/roles.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { openQueue, pingQueue } from '#lib/pipeline/queue.ts';
import { freshDatabase, testCluster } from '../support/backends.ts';
import { openPostgresProxy } from '../support/postgres-proxy.ts';
import { asSuperuser } from '../support/rows.ts';
import { eventually } from '../support/runs.ts';

const tenant = { workspace: 'wsp_one', environment: 'sandbox' } as const;
const log = pino({ level: 'silent' });

/** Returns the code of the problem with which the API answers the error of this work. */
function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: Error) => toProblem(error).code,
  );
}

// A standby reports `in_hot_standby` in the same way as the setting that these tests change. `full/failover` has a standby.
describe('a PostgreSQL server that accepts no writes', () => {
  let ownerUrl: string;
  let url: string;
  before(async () => {
    ownerUrl = await freshDatabase('assay_test_primary');
    url = roleUrl(ownerUrl, 'api');
  });

  const isReadOnly = async (isOn: boolean) => {
    const superuserUrl = (await testCluster()).superuserUrl('postgres');
    await asSuperuser({ superuserUrl }, (client) =>
      client.query(`alter database ${databaseName(ownerUrl)} set default_transaction_read_only = ${isOn}`),
    );
  };

  it('serves no read, no transaction, no notices and no queue, and a caller gets 503', async () => {
    const orm = openOrm(url, 2);
    await isReadOnly(true);
    const queue = openQueue('numerics', { redisUrl: undefined, databaseUrl: url, log });
    try {
      const works: (() => Promise<unknown>)[] = [
        () => askDirectly(orm, 'select 1', []),
        () => inTenant(orm, tenant, (em) => em.execute('select 1'), { isReadOnly: true }),
        () => inPlatform(orm, (em) => em.execute('select 1')),
        () => inOneStatement(orm, tenant, (em) => sql`select 1`.execute(em.getKysely())),
        () => new Notices(url, 'ended', log).open(),
        () => pingQueue(queue),
      ];
      for (const work of works) expect(await codeOf(work()), String(work)).to.equal('dependency_unavailable');
      expect(poolUse(orm)).to.deep.equal({ in_use: 0, idle: 0, waiting: 0 });
    } finally {
      await isReadOnly(false);
    }
    expect(await askDirectly(orm, 'select 1 as one', [])).to.deep.equal([{ one: 1 }]);
    await queue.close().catch(() => {});
    await orm.close();
  });

  it('loses its open connections when it becomes read-only', async () => {
    const orm = openOrm(url, 1);
    const pid = async () =>
      (await askDirectly<{ pid: number }>(orm, 'select pg_backend_pid() as pid', []))[0]!.pid;
    const before = await pid();
    await askDirectly(orm, `select set_config('default_transaction_read_only', 'on', false)`, []).catch(
      () => {},
    );
    await eventually(async () => (await pid()) !== before);
    await orm.close();
  });

  it('makes a caller retry a write that it refuses before it reports its state', async () => {
    const orm = openOrm(url, 1);
    const write = () =>
      inTenant(orm, tenant, async (em) => {
        await em.execute(`select set_config('transaction_read_only', 'on', true)`);
        await em.execute('create temporary table refused (id int)');
        await em.execute('insert into run select');
      });
    expect(await codeOf(write())).to.equal('dependency_unavailable');
    await orm.close();
  });

  it('is not to blame for a write of a transaction that was begun as read-only, which is a bug', async () => {
    const orm = openOrm(url, 1);
    const write = inTenant(orm, tenant, (em) => em.execute('insert into run select'), { isReadOnly: true });
    expect(await codeOf(write)).to.equal('internal_error');
    await orm.close();
  });
});

describe('a PostgreSQL server that does not answer', () => {
  it('keeps nobody waiting for a connection', async () => {
    const frozen = createServer().listen(0, '127.0.0.1');
    await once(frozen, 'listening');
    const { port } = frozen.address() as AddressInfo;
    const client = new PrimaryClient({
      connectionString: `postgres://nobody:x@127.0.0.1:${port}/none`,
      connectionTimeoutMillis: 200,
    });
    client.on('error', () => {});
    expect(await codeOf(client.connect())).to.equal('dependency_unavailable');
    frozen.close();
  });

  it('keeps nobody waiting for a statement, and loses the connection', async () => {
    let forwards = true;
    const ownerUrl = await freshDatabase('assay_test_silent');
    const proxy = await openPostgresProxy(ownerUrl, () => ({
      requested: () => {},
      answered: () => {},
      forwards: () => forwards,
    }));
    const orm = openOrm(proxy.through(roleUrl(ownerUrl, 'api')), 1, 'assay', { silentMs: 300 });
    await askDirectly(orm, 'select 1', []);
    forwards = false;
    for (const work of [
      () => askDirectly(orm, 'select 1', []),
      () => inTenant(orm, tenant, (em) => em.execute('select 1')),
    ])
      expect(await codeOf(work())).to.equal('dependency_unavailable');
    forwards = true;
    expect(await askDirectly(orm, 'select 1 as one', [])).to.deep.equal([{ one: 1 }]);
    await orm.close();
    await proxy.close();
  });
});
