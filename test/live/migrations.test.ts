import { expect } from 'chai';
import { Client } from 'pg';
import { appliedMigrations, listTables, type Table } from '#lib/database/backup/tables.ts';
import type { Config } from '#lib/core/config.ts';
import { grants } from '#lib/database/grants.ts';
import { MIGRATIONS_TABLE } from '#lib/database/base.ts';
import { migrate } from '#lib/database/migrate.ts';
import { migrations } from '#lib/database/migrations/index.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleName, roles, type Role } from '#lib/database/roles.ts';
import { testCluster } from '../support/backends.ts';
import { baselineRows } from '../support/baseline-rows.ts';
import { eventually } from '../support/runs.ts';
import { schemaOf } from '../support/schema.ts';

const names = migrations.map(({ name }) => name);
const OLD = 'assay_test_migrated';
const NEW = 'assay_test_from_scratch';

describe('migrations', function () {
  const open: Client[] = [];
  after(() => Promise.all(open.map((client) => client.end())));

  /** Opens a connection from which row-level security hides no rows. */
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

  async function createMigrationsTable(ownerUrl: string): Promise<void> {
    const orm = openOrm(ownerUrl, 1);
    await orm.migrator.getPending();
    await orm.close();
  }

  describe('from the baseline with data to the newest schema', () => {
    let client: Client;
    let tables: Table[];
    let kept: Map<string, unknown[]>;

    before(async () => {
      const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
      await migrateTo(ownerUrl, names[0]!);
      client = await see(OLD);
      await client.query(baselineRows);
      tables = await listTables(client);
      kept = await rowsOf(client, tables);
      await migrate(ownerUrl);
    });

    it('begin with rows in the tables', () => {
      expect(tables.filter(({ name }) => kept.get(name)!.length > 0)).to.have.length.above(15);
    });

    it('keep every row with all its content', async () => {
      const now = await rowsOf(client, tables);
      for (const [table, rows] of kept) expect(now.get(table), table).to.deep.include.members(rows as never);
    });

    it('end in the same schema as a new database', async () => {
      await migrate(await (await testCluster()).emptyDatabase(NEW));
      const [migrated, made] = [await schemaOf(client), await schemaOf(await see(NEW))];
      expect(Object.values(made).flat().length).to.be.greaterThan(150);
      expect(migrated).to.deep.equal(made);
    });

    it('end with a policy and forced row-level security on every table', async () => {
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

  for (const name of names.slice(1, -1)) {
    it(`end in the newest schema if they begin at ${name}`, async () => {
      const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
      await migrateTo(ownerUrl, name);
      await migrate(ownerUrl);
      await migrate(await (await testCluster()).emptyDatabase(NEW));
      expect(await schemaOf(await see(OLD))).to.deep.equal(await schemaOf(await see(NEW)));
    });
  }

  it('keep the signing keys of the deployment valid for all workspaces, also if they signed packs of one that returned', async () => {
    const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
    await migrateTo(ownerUrl, names[names.findIndex((name) => name.includes('imported-keys')) - 1]!);
    const client = await see(OLD);
    const idOf = { first: '1', second: '2', active: '3', logged: '4', foreign: '5', used: '6' };
    const keyid = (name: keyof typeof idOf) => idOf[name].repeat(64);
    const key = (name: keyof typeof idOf, from: string, to?: string) =>
      `('${keyid(name)}', '${name}', ${to ? 'null' : `'sealed'`}, '${from}', ${to ? `'${to}'` : 'null'})`;
    const entry = (workspace: string, op: string, subject: string) => {
      const body = {
        at: '2026-02-01T00:00:00.000Z',
        op,
        outcome: { status: 'done' },
        subject: { type: 'x', uid: subject },
      };
      return `('${workspace}', 'sandbox', '${JSON.stringify(body)}')`;
    };
    const packs = (['first', 'second', 'active', 'logged', 'foreign', 'used'] as const).map((name, at) =>
      pack(`run_${at}`, 'wsp_back', keyid(name), at + 2),
    );
    await client.query(`
      set session_replication_role = replica;
      insert into signing_key (keyid, public_x, private_sealed, valid_from, retired_at) values
        ${key('first', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00.0005Z')},
        ${key('second', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z')},
        ${key('active', '2026-03-01T00:00:00Z')},
        ${key('logged', '2026-01-05T00:00:00Z', '2026-01-06T00:00:00Z')},
        ${key('foreign', '2026-01-07T00:00:00Z', '2026-01-08T00:00:00Z')},
        ${key('used', '2026-01-07T00:00:00Z', '2026-01-08T00:00:00Z')};
      insert into audit_entry (workspace_uid, environment, body) values
        ${entry('wsp_back', 'workspace.imported', 'wsp_back')},
        ${entry('wsp_back', 'signing_key.rotated', keyid('foreign'))},
        ${entry('wsp_home', 'signing_key.rotated', keyid('logged'))};
      insert into evidence_pack (run_uid, workspace_uid, environment, sequence, period_from, period_to, previous_tree_size,
        tree_size, root_hash, pack_hash, previous_pack_hash, pinned, keyid, signature) values
        ${[...packs, pack('run_home', 'wsp_home', keyid('used'), 2)].join()};
      set session_replication_role = origin`);
    await migrate(ownerUrl);
    const { rows } = await client.query(
      'select public_x as name, workspace_uids as workspaces from signing_key where workspace_uids is not null',
    );
    expect(rows).to.deep.equal([{ name: 'foreign', workspaces: ['wsp_back'] }]);
  });

  // On a database of a development version the baseline would fail midway, or change unknown data.
  it('reject a database that does not begin with the baseline and leave it unchanged', async () => {
    const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
    await createMigrationsTable(ownerUrl);
    const client = await see(OLD);
    await client.query(`
      insert into ${MIGRATIONS_TABLE} (name) values ('2026-11-21-foundation'), ('2026-11-21-audit-log');
      create table workspace (uid text primary key)`);
    const [schema, applied] = [await schemaOf(client), await appliedMigrations(client)];
    const reported = (config?: Partial<Config>) =>
      migrate(ownerUrl, config).then(
        () => 'done',
        ({ message }: Error) => message,
      );
    const refusal = `the database ${OLD} was made by a development version of Assay and cannot be upgraded: `;
    expect(await reported()).to.contain(`${refusal}drop it and create it again, or restore a backup`);
    expect(await reported({ ASSAY_HOME: '/home/.assay' })).to.contain(
      `${refusal}delete /home/.assay/postgres and`,
    );
    expect(await schemaOf(client)).to.deep.equal(schema);
    expect(await appliedMigrations(client)).to.deep.equal(applied);
  });

  it('run forward only', async () => {
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

  it('run one after the other when two processes migrate at once', async () => {
    const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
    const done = await Promise.all([migrate(ownerUrl), migrate(ownerUrl), migrate(ownerUrl)]);
    expect(done.flat()).to.deep.equal(names);
    expect(await appliedMigrations(await see(OLD))).to.deep.equal(names);
  });

  // Each process is blocked in a different step: while it creates a table, or when it records the migration
  // as applied.
  for (const [title, at, blocking] of [
    ['the first migration', 0, 'create table event ()'],
    ['the newest migration', names.length - 1, `lock table ${MIGRATIONS_TABLE} in share mode`],
  ] as const) {
    it(`leave the previous schema if ${title} is killed midway`, async () => {
      const ownerUrl = await (await testCluster()).emptyDatabase(OLD);
      if (at > 0) await migrateTo(ownerUrl, names[at - 1]!);
      else await createMigrationsTable(ownerUrl);
      const client = await see(OLD);
      const [schema, applied] = [await schemaOf(client), await appliedMigrations(client)];
      const blocker = await see(OLD);
      await blocker.query('begin');
      await blocker.query(blocking);
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

function pack(run: string, workspace: string, keyid: string, sequence: number): string {
  const hash = '0'.repeat(64);
  const at = '2026-01-31T00:00:00Z';
  return `('${run}', '${workspace}', 'sandbox', ${sequence}, '${at}', '${at}', 1, 1, '${hash}', '${hash}', '${hash}', '{}',
    '${keyid}', 'signature')`;
}

/** Returns every row of the given columns as text, in a fixed order. */
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
