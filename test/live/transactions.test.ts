import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { sql } from 'kysely';
import { Client } from 'pg';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { createWorkspace } from '#lib/access/provision.ts';
import { defer, type Em, type Orm, type Tenant } from '#lib/database/base.ts';
import { inOneStatement, inPlatform, inTenant, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { freshDatabase } from '../support/backends.ts';
import { eventually } from '../support/runs.ts';

const tenant = { workspace: 'wsp_one', environment: 'sandbox' } as const;
const SETTINGS = `select current_setting('app.workspace', true) as workspace,
  current_setting('app.environment', true) as environment, now() <> statement_timestamp() as "isLater"`;

// `begin` and the settings of the tenant are not sent alone, but with the first statement. In every other
// respect, a transaction must behave as usual.
describe('transactions of a tenant', () => {
  let orm: Orm;

  before(async () => {
    orm = openOrm(roleUrl(await freshDatabase('assay_test_transactions'), 'api'), 1, 'assay', {});
  });
  after(() => orm.close());

  it('send their settings with the first statement, with or without parameters', async () => {
    const expected = { workspace: tenant.workspace, environment: tenant.environment };
    const plain = await inTenant(orm, tenant, (em) => em.execute(SETTINGS));
    expect(plain[0]).to.include(expected);
    const bound = await inTenant(orm, tenant, async (em) => {
      const { rows } = await sql<object>`${sql.raw(SETTINGS)} where 1 = ${1}`.execute(em.getKysely());
      return rows;
    });
    expect(bound[0]).to.include(expected);
  });

  it('leave no settings behind on the connection', async () => {
    await inTenant(orm, tenant, (em) => em.execute('select 1'));
    const [row] = await orm.em.getConnection().execute<{ workspace: string | null }[]>(SETTINGS);
    expect(row!.workspace ?? '').to.equal('');
  });

  it('are one transaction from the first statement to the last', async () => {
    const starts = await inTenant(orm, tenant, async (em) => [await startOf(em), await startOf(em)]);
    expect(starts[0]).to.equal(starts[1]);
    const others = [await inTenant(orm, tenant, startOf), await inTenant(orm, tenant, startOf)];
    expect(others[0]).to.not.equal(others[1]);
  });

  it('are rolled back as a whole if the first statement fails and leave the connection usable', async () => {
    await refused(inTenant(orm, tenant, (em) => em.execute('select 1 / 0')));
    await refused(
      inTenant(orm, tenant, async (em) => {
        await em.execute('create temp table left_behind (n integer)');
        throw new Error('changed my mind');
      }),
    );
    const [row] = await orm.em.getConnection().execute(`select to_regclass('left_behind') as name`);
    expect(row).to.deep.equal({ name: null });
  });

  it('send no statement to the database if they contain no statement', async () => {
    expect(await inTenant(orm, tenant, async () => 'nothing')).to.equal('nothing');
    await refused(inTenant(orm, tenant, () => Promise.reject(new Error('before any statement'))));
    const [row] = await orm.em.getConnection().execute('select pg_current_xact_id_if_assigned() as id');
    expect(row).to.deep.equal({ id: null });
  });

  it('send a deferred statement with the next one, in their order', async () => {
    const found = await inTenant(orm, tenant, async (em) => {
      await em.execute('create temp table deferred (n integer) on commit drop');
      for (const n of [1, 2]) await defer(em, sql`insert into deferred values (${n})`);
      return em.execute('select array_agg(n) as all from deferred');
    });
    expect(found).to.deep.equal([{ all: [1, 2] }]);
  });

  it('are rolled back if a statement deferred to the commit fails, and leave the connection usable', async () => {
    await refused(
      inTenant(orm, tenant, async (em) => {
        await em.execute('create temp table left_behind (n integer)');
        await defer(em, sql`select 1 / ${0}::integer`);
      }),
    );
    const [row] = await orm.em.getConnection().execute(`select to_regclass('left_behind') as name`);
    expect(row).to.deep.equal({ name: null });
  });

  it('of one statement are committed or rolled back with it', async () => {
    const one = await inOneStatement(orm, tenant, async (em) => {
      const { rows } = await sql<object>`${sql.raw(SETTINGS)} where 1 = ${1}`.execute(em.getKysely());
      return rows[0];
    });
    expect(one).to.include({ workspace: tenant.workspace, environment: tenant.environment });
    await refused(inOneStatement(orm, tenant, (em) => sql`select 1 / ${0}::integer`.execute(em.getKysely())));
    await refused(
      inOneStatement(
        orm,
        tenant,
        (em) => sql`create temp table left_behind (n integer)`.execute(em.getKysely()),
        { isReadOnly: true },
      ),
    );
    expect(await inTenant(orm, tenant, (em) => em.execute('select 1 as one'))).to.deep.equal([{ one: 1 }]);
  });

  it('can be nested, so that only the inner transaction is rolled back', async () => {
    const found = await inTenant(orm, tenant, async (em) => {
      await em.execute('create temp table nested (n integer) on commit drop');
      await refused(
        em.transactional(async (inner) => {
          await (inner as Em).execute('insert into nested values (1)');
          throw new Error('inner');
        }),
      );
      return em.execute('select count(*)::int as count from nested');
    });
    expect(found).to.deep.equal([{ count: 0 }]);
  });
});

// The first statement is sent without waiting for the answer to `begin`. In these tests, that answer is an error.
describe('transactions whose beginning fails', () => {
  let ownerUrl: string;
  let proxy: Server;
  let own: Tenant;
  let operator: Orm;
  /** An ORM whose role sees all tenants. */
  let unwalled: Orm;
  let orm: Orm;
  /** A text that the proxy replaces, and the replacement, which has the same length. */
  let replaced: [string, string] | undefined;

  before(async () => {
    ownerUrl = await freshDatabase('assay_test_beginnings');
    operator = openOrm(roleUrl(ownerUrl, 'operator'), 1);
    const made = { name: 'One', region: 'local', timeZone: 'UTC', now: new Date() };
    const { uid: workspace } = await inPlatform(operator, async (em) => createWorkspace(em, made));
    own = { workspace, environment: 'sandbox' };
    const url = new URL(roleUrl(ownerUrl, 'api'));
    const { hostname, port } = url;
    proxy = createServer((socket) => {
      const server = connect(Number(port), hostname);
      socket.on('data', (chunk: Buffer) => {
        const at = replaced ? chunk.indexOf(replaced[0]) : -1;
        if (at >= 0) chunk.write(replaced![1], at);
        server.write(chunk);
      });
      server.pipe(socket);
      for (const end of [socket, server]) end.on('error', () => undefined);
      socket.on('close', () => server.destroy());
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const other = new URL(roleUrl(ownerUrl, 'operator'));
    other.host = host;
    unwalled = openOrm(other.href, 1);
    url.host = host;
    orm = openOrm(url.href, 1);
  });
  beforeEach(() => (replaced = undefined));
  after(async () => {
    await orm.close();
    await Promise.all([operator.close(), unwalled.close()]);
    proxy.close();
  });

  const entries = async () =>
    (await inTenant(operator, own, (em) => em.execute('select from audit_entry'))).length;
  const rates = async () => {
    const owner = new Client({ connectionString: ownerUrl });
    await owner.connect();
    const { rows } = await owner.query('select from rate_limit');
    await owner.end();
    return rows.length;
  };
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => 'no error',
      ({ message }: Error) => message,
    );
  const append = (em: Em) =>
    appendAudit(em, {
      at: new Date(),
      op: 'transaction.tested',
      actor: { kind: 'system' },
      subject: { type: 'transaction', uid: 'one' },
    });
  /** Calls a function that runs with the rights of the owner. */
  const take = (em: Em) =>
    sql`select * from take_rates(array[${'a'}], array[${1}::integer], 60)`.execute(em.getKysely());

  for (const [what, from, to] of [
    ['begin', 'begin', 'bogus'],
    ['setting', 'set local app.workspace', 'set local bogus_setting'],
  ] as const) {
    it(`change nothing after a failed ${what} of a tenant and throw its error`, async () => {
      replaced = [from, to];
      expect(await errorOf(inTenant(orm, own, append))).to.match(/bogus/);
      expect(await entries()).to.equal(0);
    });
  }

  it('change nothing after a failed begin of a role that row-level security does not limit', async () => {
    replaced = ['begin', 'bogus'];
    expect(await errorOf(inTenant(unwalled, own, append))).to.match(/bogus/);
    expect(await entries()).to.equal(0);
  });

  it('change nothing if they have no tenant, even through functions that run with the privileges of the owner', async () => {
    replaced = ['begin', 'bogus'];
    expect(await errorOf(inPlatform(orm, take))).to.match(/bogus/);
    expect(await rates()).to.equal(0);
  });

  it('do not affect the next transaction', async () => {
    await inTenant(orm, own, append);
    await inPlatform(orm, take);
    expect([await entries(), await rates()]).to.deep.equal([1, 1]);
  });
});

const PREPARED = `select name, generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements`;
const OPEN = `select count(*)::int as open from pg_stat_activity
  where state = 'idle in transaction' and usename = current_user`;

// A read-only caller does not wait for the end of its transaction. A statement that is repeated becomes a
// prepared statement, so that the database parses it once.
describe('transactions of a tenant on connections that prepare repeated statements', () => {
  let orm: Orm;
  const ask = (text: string, value: unknown, options = {}) =>
    inTenant(
      orm,
      tenant,
      async (em) => {
        const { rows } = await sql<{ value: unknown }>`${sql.raw(text)} = ${value}`.execute(em.getKysely());
        return rows;
      },
      options,
    );
  const kept = () =>
    orm.em.getConnection().execute<{ name: string; generic: number; custom: number }[]>(PREPARED);

  beforeEach(async () => {
    orm = openOrm(roleUrl(await freshDatabase('assay_test_transactions'), 'api'), 1, 'assay', {
      keepsAfter: 2,
    });
  });
  afterEach(() => orm.close());

  const WORKSPACE = `select current_setting('app.workspace') as value where 1`;

  it('prepare repeated statements with a custom plan for each execution or one generic plan', async () => {
    for (let turn = 0; turn < 2; turn++) await ask(WORKSPACE, 1);
    expect(await kept()).to.deep.equal([]);
    expect(await ask(WORKSPACE, 1)).to.deep.equal([{ value: tenant.workspace }]);
    expect(await kept()).to.deep.equal([{ name: 's1', generic: 0, custom: 1 }]);
    expect(await ask(WORKSPACE, 1, { plansOnce: true })).to.deep.equal([{ value: tenant.workspace }]);
    expect(await ask(WORKSPACE, 2, { plansOnce: true })).to.deep.equal([]);
    expect(await kept()).to.deep.equal([{ name: 's1', generic: 2, custom: 1 }]);
  });

  it('prefer the order of an index to a sort only in transactions of index lookups', async () => {
    const sorting = `select current_setting('enable_sort') as value where 1`;
    expect(await ask(sorting, 1, { plansOnce: true })).to.deep.equal([{ value: 'off' }]);
    expect(await ask(sorting, 1)).to.deep.equal([{ value: 'on' }]);
  });

  it('continue if a prepared statement failed or no longer exists', async () => {
    const quotient = 'select 6 / n as value from (values (1), (0)) of (n) where n';
    for (let turn = 0; turn < 3; turn++) expect(await ask(quotient, 1)).to.deep.equal([{ value: 6 }]);
    await refused(ask(quotient, 0));
    expect(await ask(quotient, 1)).to.deep.equal([{ value: 6 }]);
    await orm.em.getConnection().execute('deallocate all');
    await refused(ask(quotient, 1));
    expect(await ask(quotient, 1)).to.deep.equal([{ value: 6 }]);
  });

  it('prepare a deferred statement once, also if the statements after it fail', async () => {
    const withDeferred = (divisor: number) =>
      inTenant(orm, tenant, async (em) => {
        await defer(em, sql`select ${1}::integer as deferred`);
        await sql`select 6 / ${divisor}::integer`.execute(em.getKysely());
      });
    for (let turn = 0; turn < 4; turn++) await withDeferred(1);
    const before = await kept();
    for (let turn = 0; turn < 8; turn++) await refused(withDeferred(0));
    for (let turn = 0; turn < 4; turn++) await withDeferred(1);
    const names = (each: { name: string }[]) => each.map(({ name }) => name);
    expect(names(await kept())).to.deep.equal(names(before));
  });

  it('prepare at most a hundred statements', async () => {
    for (let number = 0; number < 130; number++)
      for (let turn = 0; turn < 3; turn++) await ask(`select ${number} as value where 1`, 1);
    const names = (await kept()).map(({ name }) => name);
    expect(names).to.have.length(100);
  });

  it('reject writes in read-only mode and then end at once', async () => {
    const write = inTenant(orm, tenant, (em) => em.execute('create temp table written (n integer)'), {
      isReadOnly: true,
    });
    await refused(write);
    const starts = [];
    for (let turn = 0; turn < 2; turn++)
      starts.push(await inTenant(orm, tenant, startOf, { isReadOnly: true }));
    expect(starts[0]).to.not.equal(starts[1]);
    const other = openOrm(orm.config.get('clientUrl')!, 1);
    await eventually(async () => {
      const [found] = await other.em.getConnection().execute<{ open: number }[]>(OPEN);
      return found!.open === 0;
    });
    await other.close();
  });

  it('leave no read-only settings for later writes on the connection', async () => {
    await inTenant(orm, tenant, startOf, { isReadOnly: true });
    await inTenant(orm, tenant, (em) => em.execute('create temp table kept_table (n integer)'));
    await inTenant(orm, tenant, startOf, { isReadOnly: true });
    const [row] = await orm.em.getConnection().execute<{ workspace: string | null }[]>(SETTINGS);
    expect(row!.workspace ?? '').to.equal('');
    const [table] = await orm.em.getConnection().execute(`select to_regclass('kept_table')::text as name`);
    expect(table).to.deep.equal({ name: 'kept_table' });
  });
});

async function startOf(em: Em): Promise<string> {
  const [row] = await em.execute<{ start: string }[]>('select now()::text as start');
  return row!.start;
}

async function refused(work: Promise<unknown>): Promise<void> {
  const outcome = await work.then(
    () => 'went well',
    () => 'refused',
  );
  expect(outcome).to.equal('refused');
}
