import { expect } from 'chai';
import { sql } from 'kysely';
import { inTenant, openOrm, type Em, type Orm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { freshDatabase } from '../support/backends.ts';

const tenant = { workspace: 'wsp_one', environment: 'sandbox' } as const;
const SETTINGS = `select current_setting('app.workspace', true) as workspace,
  current_setting('app.environment', true) as environment, now() <> statement_timestamp() as "isLater"`;

// `begin` and the tenant's settings travel with the first statement; nothing else about a transaction may change.
describe('transactions of a tenant', () => {
  let orm: Orm;

  before(async () => {
    orm = openOrm(roleUrl(await freshDatabase('assay_test_transactions'), 'api'), 1);
  });
  after(() => orm.close());

  it('have their settings in the first statement, without parameters or with', async () => {
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

  it('are undone as a whole when the first statement fails, and the connection serves on', async () => {
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

  it('end without a trace when they asked for nothing', async () => {
    expect(await inTenant(orm, tenant, async () => 'nothing')).to.equal('nothing');
    await refused(inTenant(orm, tenant, () => Promise.reject(new Error('before any statement'))));
    const [row] = await orm.em.getConnection().execute('select pg_current_xact_id_if_assigned() as id');
    expect(row).to.deep.equal({ id: null });
  });

  it('nest, and an inner one is undone alone', async () => {
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
