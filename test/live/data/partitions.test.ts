import { expect } from 'chai';
import { sql } from 'kysely';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { roleName, roles } from '#lib/database/roles.ts';
import { buildTenancy } from '../../support/build.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('Partitions of observations', (live) => {
  const partitions = (table: string) =>
    asSuperuser(live(), async (client) => {
      const { rows } = await client.query<{ name: string; first: string | null; end: string | null }>(
        'select name, first_day::text as first, end_day::text as end from partition_ranges($1)',
        [table],
      );
      return rows;
    });

  it('cover five years of prices each, from 1960 on without a gap', async () => {
    const ranges = await partitions('price');
    expect(ranges[0]).to.deep.equal({ name: 'price_1960', first: '1960-01-01', end: '1965-01-01' });
    expect(ranges.slice(1).map(({ first }) => first)).to.deep.equal(
      ranges.slice(0, -1).map(({ end }) => end),
    );
    expect(ranges.at(-1)!.end! >= '2035-01-01').to.equal(true);
  });

  it('store each price in the partition of its day, or else in the default partition', async () => {
    const { workspace } = await buildTenancy(live());
    const lines = ['1955-06-30', '1960-01-01', '1964-12-31', '1965-01-01', '2020-02-28'];
    const { dataset } = await importCsv(live(), workspace, 'prices', [
      'symbol,date,close',
      ...lines.map((day) => `A,${day},1`),
    ]);
    await asSuperuser(live(), async (client) => {
      const { rows } = await client.query(
        `select tableoid::regclass::text as partition, observed_on::text as day from price
         where dataset_id = $1 order by day`,
        [dataset.id],
      );
      expect(rows.map(({ partition, day }) => `${day} ${partition}`)).to.deep.equal([
        '1955-06-30 partitions.price_rest',
        '1960-01-01 partitions.price_1960',
        '1964-12-31 partitions.price_1960',
        '1965-01-01 partitions.price_1965',
        '2020-02-28 partitions.price_2020',
      ]);
    });
  });

  it('have their own row-level security and no privileges for any role', async () => {
    await asSuperuser(live(), async (client) => {
      const { rows } = await client.query<{
        name: string;
        walled: boolean;
        rights: number;
        condition: string;
      }>(
        `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as walled,
           (select count(*)::int from aclexplode(c.relacl) acl where acl.grantee <> c.relowner) as rights,
           (select string_agg(pg_get_expr(polqual, polrelid) || pg_get_expr(polwithcheck, polrelid), '; ')
            from pg_policy where polrelid = c.oid) as condition
         from pg_class c where c.relnamespace = 'partitions'::regnamespace and c.relkind in ('r', 'p')`,
      );
      expect(rows.length).to.be.greaterThan(15);
      for (const { name, walled, rights, condition } of rows) {
        expect({ walled, rights }, name).to.deep.equal({ walled: true, rights: 0 });
        expect(condition, name).to.match(/^[^;]*app_is_owner\(\)[^;]*$/);
      }
      const { rows: databases } = await client.query<{ name: string }>('select current_database() as name');
      for (const role of roles) {
        const { rows: may } = await client.query(
          `select has_schema_privilege($1, 'partitions', 'usage') or has_schema_privilege($1, 'partitions', 'create') as may`,
          [roleName(databases[0]!.name, role)],
        );
        expect(may, role).to.deep.equal([{ may: false }]);
      }
    });
  });

  it('cannot be read directly; the parent table shows a workspace only its own prices', async () => {
    const [mine, theirs] = [await buildTenancy(live()), await buildTenancy(live())];
    const lines = ['symbol,date,close', 'WALLED,2020-02-28,1'];
    const { dataset } = await importCsv(live(), theirs.workspace, 'prices', lines);
    const count = (workspace: string, table: string) =>
      inTenant(live().orm('api'), { workspace, environment: 'sandbox' }, async (em) => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from ${sql.table(table)} where dataset_id = ${dataset.id}
        `.execute(em.getKysely());
        return rows[0]!.count;
      }).catch((error: { code: string }) => error.code);
    expect(await count(theirs.workspace, 'price')).to.equal(1);
    expect(await count(mine.workspace, 'price')).to.equal(0);
    for (const { workspace } of [mine, theirs])
      expect(await count(workspace, 'partitions.price_2020')).to.equal('42501');
  });

  it('show all rows to the owner of the tables for maintenance', async () => {
    const { workspace } = await buildTenancy(live());
    await importCsv(live(), workspace, 'prices', ['symbol,date,close', 'OWNED,2020-02-28,1']);
    await asSuperuser(live(), async (client) => {
      await client.query('begin');
      await client.query(`select set_config('role', current_database() || '_owner', true)`);
      const seen = async (table: string) =>
        (await client.query(`select exists (select from ${table}) as seen`)).rows[0].seen;
      expect(await seen('price')).to.equal(false);
      expect(await seen('partitions.price_2020')).to.equal(true);
      await client.query('rollback');
    });
  });

  it('are analyzed only by the import, together with their table', async () => {
    const analyze = (role: 'api' | 'operator', table: string) =>
      inPlatform(live().orm(role), async (em) => {
        await sql`select analyze_partitioned(${table})`.execute(em.getKysely());
        return 'done';
      }).catch((error: { code: string }) => error.code);
    expect(await analyze('api', 'price')).to.equal('42501');
    expect(await analyze('operator', 'run')).to.equal('42P01');
    expect(await analyze('operator', 'price')).to.equal('done');
    await asSuperuser(live(), async (client) => {
      const { rows } = await client.query<{ known: boolean }>(
        `select bool_and(reltuples >= 0) as known from pg_class
         where oid in (select relid from pg_partition_tree('price'))`,
      );
      expect(rows[0]).to.deep.equal({ known: true });
    });
  });
});
