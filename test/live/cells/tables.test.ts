import { expect } from 'chai';
import { tables as declared } from '#lib/products.ts';
import { leftOut, leftOutColumns } from '#lib/cells/left-out.ts';
import { secretTables } from '#lib/cells/secrets.ts';
import { openCell, type Cell } from '../../support/cell.ts';

describe('the export of a workspace', function () {
  let cell: Cell;

  before(async () => {
    cell = await openCell('assay_test_cell_tables');
  });

  after(() => cell?.close());

  it('contains every table of the schema, or a list names the table with a reason', async () => {
    const planned = await cell.plan();
    const all = await cell.sql<{ name: string; columns: string[] }>(EVERY_TABLE);
    const named = [...planned.map(({ name }) => name), ...Object.keys(leftOut)];
    expect(named.sort()).to.deep.equal(all.map(({ name }) => name).sort());
    for (const [table, reason] of Object.entries(leftOut)) expect(reason, table).to.match(/\w+ \w+/);
    for (const table of Object.keys(leftOutColumns)) {
      const columns = all.find(({ name }) => name === table)!.columns;
      expect(columns).to.include.members([...leftOutColumns[table]!]);
    }
  });

  it('contains every table whose rows belong to a workspace by its manifest or by its policies', async () => {
    const planned = await cell.plan();
    const exported = new Set(planned.map(({ name }) => name));
    const byManifest = Object.entries(declared).filter(([, { rows }]) => rows !== 'nobody');
    const byPolicy = await cell.sql<{ name: string }>(
      `select distinct tablename as name from pg_policies where schemaname = 'public'
         and (qual like '%workspace_uid = %' or qual like '%dataset_entitlement%')`,
    );
    const missing = [...byManifest.map(([name]) => name), ...byPolicy.map(({ name }) => name)].filter(
      (name) => !exported.has(name),
    );
    expect([...new Set(missing)].sort()).to.deep.equal([
      'console_link',
      'console_session',
      'run_part',
      'workspace_move',
    ]);
  });

  it('encrypts every secret that the schema stores', async () => {
    const found = await cell.sql<{ name: string }>(
      `select format('%s.%s', table_name, column_name) as name from information_schema.columns c
       where table_schema = 'public' and column_name ~ '(secret|sealed|wrapped)' and column_name !~ '(_hash|_version)$'
         and not exists (select from pg_inherits where inhrelid = to_regclass(format('%I', c.table_name)))
       order by 1`,
    );
    const known = Object.entries(secretTables).flatMap(([table, { sealed }]) =>
      sealed.map((column) => `${table}.${column}`),
    );
    // A wrapped key encrypts the secret of its row, and a signing key stays in its deployment.
    const others = ['ai_connection_key.sealed', 'signing_key.private_sealed'];
    const sealed = found.map(({ name }) => name).filter((name) => !/\.sealed_(at|by|in)/.test(name));
    expect(sealed).to.include.members([...known, ...others]);
    expect(sealed.filter((name) => ![...known, ...others].includes(name))).to.deep.equal([]);
  });
});

/** All tables except the record of migrations, also those that a backup leaves out. */
const EVERY_TABLE = `
  select c.relname as name, array(
      select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and c.relname <> 'mikro_orm_migrations'`;
