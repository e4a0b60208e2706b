import type { Client } from 'pg';

/** Returns the parts of a schema, by kind, each as one line of text. */
export async function schemaOf(client: Client): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [kind, query] of Object.entries(queries)) {
    const { rows } = await client.query<{ line: string }>(`${query} order by 1`);
    found[kind] = rows.map(({ line }) => line);
  }
  return found;
}

const ours = `c.relnamespace in ('public'::regnamespace, to_regnamespace('partitions')) and c.relname <> 'mikro_orm_migrations'`;

const queries = {
  columns: `
    select concat_ws(' ', table_name, column_name, data_type, udt_name, is_nullable, column_default, is_identity,
      identity_generation, collation_name, generation_expression) as line
    from information_schema.columns where table_schema = 'public' and table_name <> 'mikro_orm_migrations'`,
  constraints: `
    select concat_ws(' ', c.relname, k.conname, pg_get_constraintdef(k.oid), k.convalidated) as line
    from pg_constraint k join pg_class c on c.oid = k.conrelid where ${ours}`,
  indexes: `
    select indexdef as line from pg_indexes where schemaname = 'public' and tablename <> 'mikro_orm_migrations'`,
  policies: `
    select concat_ws(' ', tablename, policyname, permissive, roles, cmd, qual, with_check) as line
    from pg_policies where schemaname = 'public'`,
  security: `
    select concat_ws(' ', c.relname, c.relrowsecurity, c.relforcerowsecurity) as line
    from pg_class c where ${ours} and c.relkind in ('r', 'p')`,
  functions: `
    select pg_get_functiondef(p.oid) as line from pg_proc p where p.pronamespace = 'public'::regnamespace`,
  triggers: `
    select pg_get_triggerdef(t.oid) as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where ${ours} and not t.tgisinternal`,
};
