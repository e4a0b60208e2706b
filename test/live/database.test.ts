import { expect } from 'chai';
import { Client } from 'pg';
import { QUEUE_SCHEMA, type Orm } from '#lib/database/base.ts';
import { grants } from '#lib/database/grants.ts';
import { migrate } from '#lib/database/migrate.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleName, roles, type Role } from '#lib/database/roles.ts';
import { freshDatabase } from '../support/backends.ts';

const DATABASE = 'assay_test_schema';

/** The table in which the migrator lists the migrations that were run. No role of Assay reads the table. */
const NOT_OURS = new Set(['mikro_orm_migrations']);

type Column = { type: string; isNullable: boolean; hasDefault: boolean };

describe('the database', function () {
  let ownerUrl: string;
  let owner: Client;
  let orm: Orm;
  let tables: string[];

  before(async () => {
    ownerUrl = await freshDatabase(DATABASE);
    owner = new Client({ connectionString: ownerUrl });
    await owner.connect();
    orm = openOrm(ownerUrl, 1);
    const rows = await query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`);
    tables = rows.map(({ name }) => name).filter((name) => !NOT_OURS.has(name));
  });

  after(async () => {
    await orm.close();
    await owner.end();
  });

  async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await owner.query<Row>(text, values)).rows;
  }

  it('has exactly the tables that the products declare', () => {
    expect(Object.keys(grants)).to.have.members(tables);
  });

  it('has workspace and environment columns in exactly the tables for which the products declare them', async () => {
    const rows = await query<{ name: string; workspace: boolean; environment: boolean; condition: string }>(
      `select c.relname as name, max(pg_get_expr(p.polqual, c.oid)) as condition,
         bool_or(a.attname = 'workspace_uid') as workspace, bool_or(a.attname = 'environment') as environment
       from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_policy p on p.polrelid = c.oid
       where p.polname = 'visible' and c.relname = any($1) group by 1`,
      [tables],
    );
    for (const { name, workspace, environment, condition } of rows) {
      const { rows: owner } = grants[name]!;
      // Rows without a workspace column belong to a workspace through a reference. The policy of their table checks
      // this reference.
      const isWalled =
        workspace || /app_workspace\(\)|dataset_entitlement|feature_version|taxonomy_version/.test(condition);
      // Aliases of the built-in models have no workspace, and are visible to every workspace.
      const expected = environment
        ? 'environment'
        : isWalled && name !== 'model_alias'
          ? 'workspace'
          : 'nobody';
      expect(owner, name).to.equal(expected);
    }
  });

  it('has a policy on workspace and environment for each table with a workspace column', async () => {
    const rows = await query<{ name: string; environment: boolean; condition: string }>(
      `select c.relname as name, bool_or(a.attname = 'environment') as environment,
         max(pg_get_expr(p.polqual, c.oid) || ' ' || pg_get_expr(p.polwithcheck, c.oid)) as condition
       from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_policy p on p.polrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and p.polpermissive group by 1
       having bool_or(a.attname = 'workspace_uid') order by 1`,
    );
    expect(rows).to.not.have.lengthOf(0);
    for (const { name, environment, condition } of rows) {
      // The policy of `dataset` refers to `dataset_entitlement`, whose own policy shows a workspace only its own
      // entitlements.
      expect(condition, name).to.match(name === 'dataset' ? /dataset_entitlement/ : /app_workspace\(\)/);
      if (environment) expect(condition, name).to.include('app_environment()');
    }
  });

  it('has the tenant filter on every entity that names a workspace', () => {
    for (const { name, properties, filters } of [...orm.getMetadata().getAll().values()]) {
      if (!('workspaceUid' in properties) || ['Dataset', 'ModelAlias'].includes(name!)) continue;
      expect(Object.keys(filters ?? {}), `filters of ${name}`).to.include('tenant');
    }
  });

  it('refuses every write to a workspace that is moved, except for what its readers cause', async () => {
    const rows = await query<{ name: string; commands: string[] }>(
      `select c.relname as name, array(
           select distinct command from pg_policy p,
             unnest(case when p.polcmd = '*' then array['a', 'w'] else array[p.polcmd::text] end) command
           where p.polrelid = c.oid and not p.polpermissive and p.polname like 'awake%'
             and coalesce(pg_get_expr(p.polwithcheck, c.oid), pg_get_expr(p.polqual, c.oid)) like '%workspace_move%'
           order by 1) as commands
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_uid' and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    );
    const open = rows.filter(({ commands }) => commands.join() !== 'a,d,w').map(({ name }) => name);
    expect(open).to.deep.equal([
      'console_link',
      'console_session',
      'credential_use',
      'data_use',
      'person_code',
      'storage_measurement',
      'usage_bucket',
      'usage_count',
      'usage_day',
      'workspace_move',
    ]);
  });

  it('enforces row-level security on every table, even for the owner of the table', async () => {
    const rows = await query<{ name: string; enabled: boolean; forced: boolean; policies: number }>(
      `select relname as name, relrowsecurity as enabled, relforcerowsecurity as forced,
         (select count(*)::int from pg_policy p
          where p.polrelid = c.oid and p.polpermissive and p.polcmd = '*' and p.polqual is not null
            and p.polwithcheck is not null) as policies
       from pg_class c where relnamespace = 'public'::regnamespace and relname = any($1)`,
      [tables],
    );
    expect(rows).to.have.lengthOf(tables.length);
    for (const { name, enabled, forced, policies } of rows) {
      expect({ enabled, forced, policies }, name).to.deep.equal({ enabled: true, forced: true, policies: 1 });
    }
  });

  for (const role of roles) {
    it(`gives the role ${role} exactly the listed privileges on tables and columns`, async () => {
      const rows = await query<{ name: string; privilege: string; columns: string[] | null }>(
        `select c.relname as name, lower(acl.privilege_type) as privilege, null::text[] as columns
         from pg_class c, aclexplode(c.relacl) acl
         where c.relnamespace = 'public'::regnamespace and acl.grantee = $1::regrole
         union all
         select c.relname, lower(acl.privilege_type), array_agg(a.attname::text order by a.attname)
         from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) acl
         where c.relnamespace = 'public'::regnamespace and acl.grantee = $1::regrole
         group by 1, 2`,
        [roleName(DATABASE, role)],
      );
      const given = rows.map(({ name, privilege, columns }) =>
        columns === null ? `${name}: ${privilege}` : `${name}: ${privilege} (${columns.join(', ')})`,
      );
      expect(given).to.have.members(listedPrivileges(role));
    });
  }

  it('has login roles that own nothing, cannot bypass row-level security and cannot become another role', async () => {
    const names = roles.map((role) => roleName(DATABASE, role));
    const rows = await query<{ rolname: string; might: boolean; owns: boolean; member: boolean }>(
      `select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as might,
         exists (select from pg_class c where c.relowner = r.oid) as owns,
         exists (select from pg_auth_members m where m.member = r.oid) as member
       from pg_roles r where rolname = any($1)`,
      [names],
    );
    expect(rows.map(({ rolname }) => rolname)).to.have.members(names);
    for (const { rolname, might, owns, member } of rows) {
      expect({ might, owns, member }, rolname).to.deep.equal({ might: false, owns: false, member: false });
    }
  });

  it('grants nothing to PUBLIC and lets no role of Assay create objects', async () => {
    const given = await query(
      `select c.relname, acl.privilege_type from pg_class c, aclexplode(c.relacl) acl
       where c.relnamespace in ('public'::regnamespace, $1::regnamespace) and acl.grantee = 0`,
      [QUEUE_SCHEMA],
    );
    expect(given).to.deep.equal([]);
    for (const role of roles) {
      const [row] = await query(
        `select has_schema_privilege($1, 'public', 'create') or has_schema_privilege($1, $2, 'create')
           or has_database_privilege($1, current_database(), 'create') as may`,
        [roleName(DATABASE, role), QUEUE_SCHEMA],
      );
      expect(row, role).to.deep.equal({ may: false });
    }
  });

  it('has a column for every property of every entity, with the same nullability', async () => {
    for (const { name, table, properties } of entityTables(orm)) {
      const columns = await columnsOf(table);
      expect([...columns.keys()], `the table of ${name}`).to.not.deep.equal([]);
      for (const { column, isNullable, type } of properties) {
        const found = columns.get(column);
        expect(found, `${table}.${column}`).to.not.equal(undefined);
        expect(found!.isNullable, `${table}.${column} is nullable`).to.equal(isNullable);
        expect(kindOf(found!.type), `${table}.${column} is ${found!.type}`).to.equal(kindOf(type));
      }
    }
  });

  it('allows null or has a default for every column without an entity property', async () => {
    for (const { table, properties } of entityTables(orm)) {
      const known = new Set(properties.map(({ column }) => column));
      for (const [column, { isNullable, hasDefault }] of await columnsOf(table)) {
        if (!known.has(column)) expect(isNullable || hasDefault, `${table}.${column}`).to.equal(true);
      }
    }
  });

  it('is migrated to the newest schema once', async () => {
    expect(await migrate(ownerUrl)).to.deep.equal([]);
    expect(await orm.migrator.getPending()).to.deep.equal([]);
  });

  async function columnsOf(table: string): Promise<Map<string, Column>> {
    const rows = await query<Column & { name: string }>(
      `select column_name as name, udt_name as type, is_nullable = 'YES' as "isNullable",
         column_default is not null or is_identity = 'YES' as "hasDefault"
       from information_schema.columns where table_schema = 'public' and table_name = $1`,
      [table],
    );
    return new Map(rows.map(({ name, ...column }) => [name, column]));
  }
});

/** Returns the privileges that the products declare, one line for each privilege, columns in order. */
function listedPrivileges(role: Role): string[] {
  return Object.entries(grants).flatMap(([table, privileges]) =>
    [...(privileges[role] ?? '').matchAll(/(\w+)(?: \(([^)]+)\))?/g)].map(([, privilege, columns]) =>
      columns === undefined
        ? `${table}: ${privilege}`
        : `${table}: ${privilege} (${columns.split(/,\s*/).sort().join(', ')})`,
    ),
  );
}

function entityTables(orm: Orm) {
  return [...orm.getMetadata().getAll().values()]
    .filter((meta) => !meta.abstract)
    .map((meta) => ({
      name: meta.className,
      table: meta.tableName,
      properties: meta.props.flatMap((property) =>
        (property.fieldNames ?? []).map((column, at) => ({
          column,
          isNullable: property.nullable ?? false,
          type: property.columnTypes[at]!,
        })),
      ),
    }));
}

/**
 * Returns a common name for types that PostgreSQL and the ORM name differently. Values of types with the same
 * common name survive the round trip.
 */
function kindOf(type: string): string {
  const [name = ''] = type.toLowerCase().split('(');
  const families: Record<string, string> = {
    int: 'int4',
    integer: 'int4',
    serial: 'int4',
    bigint: 'int8',
    bigserial: 'int8',
    boolean: 'bool',
    real: 'float',
    float4: 'float',
    float8: 'float',
    'double precision': 'float',
    jsonb: 'json',
    'text[]': '_text',
    varchar: 'text',
  };
  return families[name.trim()] ?? name.trim();
}
