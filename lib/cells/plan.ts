import type { ClientBase } from 'pg';
import { keptNumbers } from '#lib/database/number-range.ts';
import { listTables, unenforcedReferences, type ForeignKey } from '#lib/database/backup/tables.ts';
import { leftOut, leftOutColumns } from './left-out.ts';

export type Identity = {
  column: string;
  /** Whether the number is kept. Other numbers only give rows an order, and the target assigns new ones. */
  isKept: boolean;
};

/** A table of an export: its columns and the SQL condition of the workspace's rows. */
export type PlannedTable = {
  name: string;
  columns: string[];
  /** The condition of the rows, for the workspace with the SQL literal `workspace`. */
  rowsOf(workspace: string): string;
  identity: Identity | undefined;
};

/** The tables whose rows belong to the owner of a row in another table, by the column that refers to it. */
const owners: Readonly<Record<string, { table: string; key: string }>> = {
  dataset_id: { table: 'dataset', key: 'id' },
  feature_version_id: { table: 'feature_version', key: 'id' },
  taxonomy_version_id: { table: 'taxonomy_version', key: 'id' },
};

/**
 * Derives the tables of an export from the catalogue of the database, referenced tables first. A table belongs to a
 * workspace if it has the column `workspace_uid`, or a column that refers to a row with an owner. Throws for a table
 * that is neither of both nor in the list of tables that are left out, so that no new table is forgotten.
 */
export async function planTables(client: Pick<ClientBase, 'query'>): Promise<PlannedTable[]> {
  const [tables, identities] = [await listTables(client), await identitiesOf(client)];
  const columnsOf = new Map(tables.map(({ name, columns }) => [name, columns]));
  const unknown: string[] = [];
  const planned = tables
    .filter(({ name }) => !Object.hasOwn(leftOut, name))
    .flatMap(({ name, columns }) => {
      const rowsOf = conditionOf(name, columnsOf);
      if (!rowsOf) {
        unknown.push(name);
        return [];
      }
      const omitted = new Set(leftOutColumns[name]);
      return [
        {
          name,
          columns: columns.filter((column) => !omitted.has(column)),
          rowsOf,
          identity: identities.get(name),
        },
      ];
    });
  if (unknown.length > 0)
    throw new Error(`no workspace owns these tables, and no reason leaves them out: ${unknown.join(', ')}`);
  return planned;
}

type Condition = PlannedTable['rowsOf'];

function conditionOf(name: string, columnsOf: ReadonlyMap<string, string[]>): Condition | undefined {
  if (name === 'workspace') return (workspace) => `uid = ${workspace}`;
  const columns = columnsOf.get(name)!;
  if (columns.includes('workspace_uid')) return (workspace) => `workspace_uid = ${workspace}`;
  const column = columns.find((each) => Object.hasOwn(owners, each));
  if (column === undefined) return undefined;
  const { table, key } = owners[column]!;
  const ofOwner = conditionOf(table, columnsOf);
  return (
    ofOwner &&
    ((workspace) => `${column} in (select ${key} from public.${table} where ${ofOwner(workspace)})`)
  );
}

async function identitiesOf(client: Pick<ClientBase, 'query'>): Promise<Map<string, Identity>> {
  const { rows } = await client.query<{ name: string; column: string }>(
    `select c.relname as name, a.attname::text as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`,
  );
  return new Map(rows.map(({ name, column }) => [name, { column, isKept: keptNumbers.has(name) }]));
}

/** Lists the references between tables of the schema, whether or not the database enforces them. A partition has no foreign keys of its own. */
export async function foreignKeys(client: Pick<ClientBase, 'query'>): Promise<ForeignKey[]> {
  const names = (numbers: string, table: string) =>
    `array(select a.attname::text from unnest(${numbers}) with ordinality n (number, place)
       join pg_attribute a on a.attrelid = ${table} and a.attnum = n.number order by n.place)`;
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as "from", ${names('conkey', 'conrelid')} as columns,
       confrelid::regclass::text as "to", ${names('confkey', 'confrelid')} as keys
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, conname`,
  );
  return [...rows, ...unenforcedReferences];
}

/** Returns the columns of a table whose numbers the target replaces: its own identity, and references to others. */
export function renumbered(
  { name, identity }: Pick<PlannedTable, 'name' | 'identity'>,
  tables: readonly PlannedTable[],
  keys: readonly ForeignKey[],
): { column: string; of: string }[] {
  const own = identity && !identity.isKept ? [{ column: identity.column, of: name }] : [];
  const assigned = new Map(
    tables.flatMap((each) =>
      each.identity && !each.identity.isKept ? [[each.name, each.identity.column]] : [],
    ),
  );
  const referring = keys
    .filter(({ from, to, keys: [key] }) => from === name && assigned.get(to) === key)
    .map(({ columns: [column], to }) => ({ column: column!, of: to }));
  return [...own, ...referring];
}
