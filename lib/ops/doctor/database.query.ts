import type { Client } from 'pg';
import { grants } from '#lib/database/grants.ts';
import { migrations } from '#lib/database/migrations/index.ts';
import { MIGRATIONS_TABLE } from '#lib/database/base.ts';
import { roleName, roles } from '#lib/database/roles.ts';
import { roleLimitsMs, type RoleLimit } from '#lib/database/time-limits.ts';
import type { DatabaseFacts, RoleFacts, TableFacts } from './database.ts';

export async function gatherDatabase(
  client: Client,
  { isPooled }: { isPooled: boolean },
): Promise<DatabaseFacts> {
  const { rows } = await client.query<{ version: string; database: string }>(
    `select current_setting('server_version') as version, current_database() as database`,
  );
  const { version, database } = rows[0]!;
  return {
    version,
    isPooled,
    roles: await readRoles(client, database),
    pending: await readPending(client),
    expected: Object.keys(grants).filter((name) => name !== MIGRATIONS_TABLE),
    tables: await readTables(client),
  };
}

/** Reads the roles. A setting of a role is stronger than one of the database, as it is for PostgreSQL. */
async function readRoles(client: Client, database: string): Promise<RoleFacts[]> {
  const { rows } = await client.query<Omit<RoleFacts, 'unlimited'> & { limits: RoleLimit[] }>(
    `select name, r.oid is not null as exists, array_remove(array[
       case when rolsuper then 'superuser' end,
       case when rolbypassrls then 'bypasses row-level security' end,
       case when rolcreaterole then 'creates roles' end,
       case when rolcreatedb then 'creates databases' end,
       case when rolreplication then 'replicates' end,
       case when exists (select from pg_class c where c.relowner = r.oid) then 'owns tables' end,
       case when exists (select from pg_auth_members m where m.member = r.oid) then 'may become another role' end
     ], null) as powers,
     array(
       select name from (
         select distinct on (name) split_part(setting, '=', 1) as name, setting
         from pg_db_role_setting s join pg_database d on d.datname = current_database(), unnest(setconfig) setting
         where setrole in (0, r.oid) and setdatabase in (0, d.oid)
         order by name, setrole = 0, setdatabase = 0
       ) nearest where setting !~ '=0[a-z]*$'
     ) as limits
     from unnest($1::text[]) with ordinality wanted (name, place)
     left join pg_roles r on r.rolname = name order by place`,
    [roles.map((role) => roleName(database, role))],
  );
  return rows.map(({ limits, ...facts }, at) => ({
    ...facts,
    unlimited: Object.entries(roleLimitsMs[roles[at]!] ?? {})
      .map(([limit, ms]) => ({ limit: limit as RoleLimit, ms }))
      .filter(({ limit }) => !limits.includes(limit)),
  }));
}

async function readPending(client: Client): Promise<string[] | undefined> {
  try {
    const { rows } = await client.query<{ name: string }>('select applied_migrations() as name');
    const done = new Set(rows.map(({ name }) => name));
    return migrations.map(({ name }) => name).filter((name) => !done.has(name));
  } catch {
    return undefined;
  }
}

async function readTables(client: Client): Promise<TableFacts[]> {
  const { rows } = await client.query<TableFacts>(
    `select case when relispartition then 'partitions.' else '' end || relname as name, relrowsecurity as enabled, relforcerowsecurity as forced,
       (select count(*)::int from pg_policy p
        where p.polrelid = c.oid and p.polpermissive and p.polcmd = '*' and p.polqual is not null
          and p.polwithcheck is not null) as policies
     from pg_class c
     where relnamespace in ('public'::regnamespace, to_regnamespace('partitions')) and relkind in ('r', 'p')
       and relname <> $1 order by 1`,
    [MIGRATIONS_TABLE],
  );
  return rows;
}
