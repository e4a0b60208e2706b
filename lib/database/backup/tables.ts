import type { ClientBase } from 'pg';
import { MIGRATIONS_TABLE } from '../base.ts';

export type Table = { name: string; columns: string[]; bytes: number; isPartitioned: boolean };
export type Reference = { from: string; to: string };

/** A reference from columns of one table to columns of another table. */
export type ForeignKey = { from: string; columns: string[]; to: string; keys: string[] };

/**
 * The references that no foreign key of the database enforces: a row is always written together with the row that it
 * refers to, and that row is never deleted.
 */
export const unenforcedReferences: readonly ForeignKey[] = [
  { from: 'audit_pending', columns: ['entry_id'], to: 'audit_entry', keys: ['id'] },
];

/**
 * Lists every data table with its stored columns. Referenced tables come first, except for references that can be
 * deferred. A partitioned table counts as one table. `bytes` is the size on disk.
 */
export async function listTables(client: Pick<ClientBase, 'query'>): Promise<Table[]> {
  const tables = await client.query<Table>(
    `select c.relname as name, c.relkind = 'p' as "isPartitioned",
       (select coalesce(sum(pg_table_size(p.relid)), pg_table_size(c.oid))::float8 from pg_partition_tree(c.oid) p) as bytes,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and c.relpersistence = 'p' and c.relname <> $1`,
    [MIGRATIONS_TABLE],
  );
  const references = await client.query<Reference>(
    `select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
     where contype = 'f' and not condeferrable and connamespace = 'public'::regnamespace`,
  );
  return referencedFirst(tables.rows, [...references.rows, ...unenforcedReferences]);
}

/**
 * Orders tables so that each table comes after the tables that it references. Tables without such a dependency are
 * ordered by name. Throws if the references form a cycle.
 */
export function referencedFirst<T extends { name: string }>(
  tables: readonly T[],
  references: readonly Reference[],
): T[] {
  const waiting = new Map(tables.map((table) => [table.name, table]));
  const ordered: T[] = [];
  while (waiting.size > 0) {
    const isFree = (name: string) =>
      !references.some(({ from, to }) => from === name && to !== name && waiting.has(to));
    const free = [...waiting.keys()].filter(isFree).sort();
    if (free.length === 0)
      throw new Error(`these tables reference each other in a cycle: ${[...waiting.keys()].join(', ')}`);
    for (const name of free) {
      ordered.push(waiting.get(name)!);
      waiting.delete(name);
    }
  }
  return ordered;
}

/**
 * Returns the names of the migrations that created this database, in order. Returns an empty list for an empty
 * database.
 */
export async function appliedMigrations(client: Pick<ClientBase, 'query'>): Promise<string[]> {
  const found = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `public.${MIGRATIONS_TABLE}`,
  ]);
  if (!found.rows[0]!.there) return [];
  const { rows } = await client.query<{ name: string }>(
    `select name from public.${MIGRATIONS_TABLE} order by id`,
  );
  return rows.map(({ name }) => name);
}
