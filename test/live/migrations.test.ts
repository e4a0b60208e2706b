import { expect } from 'chai';
import { Client } from 'pg';
import { appliedMigrations, listTables, type Table } from '#lib/database/backup/tables.ts';
import { grants } from '#lib/database/grants.ts';
import { sha256 } from '#lib/core/seal.ts';
import { MIGRATIONS_TABLE } from '#lib/database/base.ts';
import { migrate } from '#lib/database/migrate.ts';
import { migrations } from '#lib/database/migrations/index.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleName, roles, type Role } from '#lib/database/roles.ts';
import { testCluster } from '../support/backends.ts';
import { firstSchemaRows } from '../support/first-schema-rows.ts';
import { eventually } from '../support/runs.ts';
import { schemaOf } from '../support/schema.ts';

const names = migrations.map(({ name }) => name);
const OLD = 'assay_test_migrated';
const NEW = 'assay_test_from_scratch';

describe('migrations', function () {
  const open: Client[] = [];
  after(() => Promise.all(open.map((client) => client.end())));

  /** A connection that row-level security hides nothing from. */
  async function see(database: string): Promise<Client> {
    const client = new Client({ connectionString: (await testCluster()).superuserUrl(database) });
    client.on('error', () => {});
    await client.connect();
    open.push(client);
    return client;
  }

  async function migrateTo(ownerUrl: string, name: string): Promise<void> {
    const orm = openOrm(ownerUrl, 2);
    await orm.migrator.up({ to: name });
    await orm.close();
  }

  describe('from the first schema to the newest, with data in it', () => {
    let client: Client;
    let tables: Table[];
    let kept: Map<string, unknown[]>;

    before(async () => {
      const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
      await migrateTo(ownerUrl, names[0]!);
      client = await see(OLD);
      await client.query(firstSchemaRows);
      tables = await listTables(client);
      kept = await rowsOf(client, tables);
      await migrate(ownerUrl);
    });

    it('begin with rows in every table', () => {
      expect(tables.filter(({ name }) => kept.get(name)!.length === 0)).to.deep.equal([]);
    });

    it('keep every row with all that it held', async () => {
      const now = await rowsOf(client, tables);
      for (const [table, rows] of kept) expect(now.get(table), table).to.deep.include.members(rows as never);
    });

    it('count what datasets held before, and cover it by a hash', async () => {
      const { rows } = await client.query(
        `select rows_held::int as held, first_observed_on::text as first, content_hash as hash from dataset where uid = 'dst_1'`,
      );
      expect(rows).to.deep.equal([{ held: 3, first: '2026-01-30', hash: sha256(`${sha256('f1')}f2`) }]);
    });

    it('end in the same schema as a database that is made anew', async () => {
      await migrate(await (await testCluster()).emptyDatabase(NEW));
      const [migrated, made] = [await schemaOf(client), await schemaOf(await see(NEW))];
      expect(Object.values(made).flat().length).to.be.greaterThan(150);
      expect(migrated).to.deep.equal(made);
    });

    it('end with row-level security on and forced, and a policy, on every table', async () => {
      const { rows } = await client.query(
        `select relname from pg_class c where relnamespace in ('public'::regnamespace, 'partitions'::regnamespace)
           and relkind in ('r', 'p')
           and relname <> 'mikro_orm_migrations' and not (relrowsecurity and relforcerowsecurity
             and exists (select from pg_policy p where p.polrelid = c.oid))`,
      );
      expect(rows).to.deep.equal([]);
    });

    for (const role of roles) {
      it(`end with exactly the listed privileges of the role ${role}`, async () => {
        const held = await heldPrivileges(client, roleName(OLD, role));
        expect(held).to.have.members(listedPrivileges(role));
      });
    }
  });

  it('go forward only', async () => {
    for (const migration of migrations) {
      expect(Object.hasOwn(migration.class.prototype, 'down'), migration.name).to.equal(false);
    }
    const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
    await migrate(ownerUrl);
    const orm = openOrm(ownerUrl, 2);
    const refusal = await orm.migrator.down().then(
      () => 'went back',
      (error: Error) => error.message,
    );
    expect(refusal).to.contain('cannot be reverted');
    await orm.close();
    expect(await appliedMigrations(await see(OLD))).to.deep.equal(names);
  });

  it('take turns when two processes migrate at once', async () => {
    const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
    const done = await Promise.all([migrate(ownerUrl), migrate(ownerUrl), migrate(ownerUrl)]);
    expect(done.flat()).to.deep.equal(names);
    expect(await appliedMigrations(await see(OLD))).to.deep.equal(names);
  });

  for (const [title, at] of [
    ['the first one', 0],
    ['a later one', names.length - 1],
  ] as const) {
    it(`leave the version before when ${title} is killed half way, and run again`, async () => {
      const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
      if (at > 0) await migrateTo(ownerUrl, names[at - 1]!);
      const client = await see(OLD);
      const [schema, applied] = [await schemaOf(client), await appliedMigrations(client)];
      const blocker = await see(OLD);
      // The first migration waits for the name of its last table, a later one to be noted as done.
      await blocker.query('begin');
      await blocker.query(
        at === 0 ? 'create table idempotency_key ()' : `lock table ${MIGRATIONS_TABLE} in share mode`,
      );
      const migrating = migrate(ownerUrl).then(
        () => 'done',
        () => 'failed',
      );
      const waiting = await eventually(async () => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = $1 and cardinality(pg_blocking_pids(pid)) > 0
             and wait_event in ('relation', 'transactionid')`,
          [OLD],
        );
        return rows[0];
      });
      await client.query('select pg_terminate_backend($1)', [waiting.pid]);
      expect(await migrating).to.equal('failed');
      await blocker.query('rollback');
      expect(await schemaOf(client)).to.deep.equal(schema);
      expect(await appliedMigrations(client)).to.deep.equal(applied);
      expect(await migrate(ownerUrl)).to.deep.equal(names.slice(at));
      expect(await migrate(ownerUrl)).to.deep.equal([]);
    });
  }
});

/** Every row of the given columns, as text, in an order of its own. */
async function rowsOf(client: Client, tables: Table[]): Promise<Map<string, unknown[]>> {
  const found = new Map<string, unknown[]>();
  for (const { name, columns } of tables) {
    const { rows } = await client.query(
      `select ${columns.map((column) => `"${column}"::text`).join(', ')} from "${name}" order by ${columns.map((_, at) => at + 1).join(', ')}`,
    );
    found.set(name, rows);
  }
  return found;
}

async function heldPrivileges(client: Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `select c.relname || ' ' || lower(acl.privilege_type) as line
     from pg_class c, aclexplode(c.relacl) acl
     where c.relnamespace = 'public'::regnamespace and acl.grantee = $1::regrole
     union
     select c.relname || ' ' || lower(acl.privilege_type) || ' ' || a.attname
     from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) acl
     where c.relnamespace = 'public'::regnamespace and acl.grantee = $1::regrole`,
    [role],
  );
  return rows.map(({ line }) => line);
}

function listedPrivileges(role: Role): string[] {
  return Object.entries(grants).flatMap(([table, privileges]) =>
    [...(privileges[role] ?? '').matchAll(/(\w+)(?: \(([^)]+)\))?/g)].flatMap(([, privilege, columns]) =>
      columns === undefined
        ? [`${table} ${privilege}`]
        : columns.split(/,\s*/).map((column) => `${table} ${privilege} ${column}`),
    ),
  );
}
