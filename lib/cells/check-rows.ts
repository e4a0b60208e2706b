import type { ClientBase } from 'pg';
import type { Manifest } from './manifest.ts';
import type { ForeignKey, PlannedTable } from './plan.ts';
import { CellRefused } from './refused.ts';

type Imported = { tables: readonly PlannedTable[]; keys: readonly ForeignKey[]; workspace: string };

/**
 * Checks what the import's session does not check row by row: that every row of the file belongs to the workspace, and
 * that every foreign key of the workspace's rows leads to a row.
 */
export async function refuseForeignRows(
  client: Pick<ClientBase, 'query'>,
  manifest: Manifest,
  { tables, keys, workspace }: Imported,
): Promise<void> {
  const records = new Map(manifest.tables.map((record) => [record.name, record]));
  for (const { name, rowsOf } of tables) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::float8 as count from public.${name} where ${rowsOf(workspace)}`,
    );
    const { count } = rows[0]!;
    const stated = records.get(name)!.rows;
    if (count !== stated)
      throw new CellRefused(
        'export_damaged',
        `${name} has ${stated} rows, of which ${count} belong to the workspace`,
      );
  }
  const planned = new Map(tables.map((table) => [table.name, table]));
  for (const { from, columns, to, keys: target } of keys) {
    const table = planned.get(from);
    if (!table) continue;
    const all = (form: (column: string, at: number) => string) => columns.map(form).join(' and ');
    const { rows } = await client.query(
      `select from (select * from public.${from} where ${table.rowsOf(workspace)}) t
       where ${all((column) => `t.${column} is not null`)}
         and not exists (select from public.${to} p where ${all((column, at) => `p.${target[at]} = t.${column}`)}) limit 1`,
    );
    if (rows.length > 0) {
      throw new CellRefused(
        'references_missing',
        `rows of ${from} refer by ${columns.join(', ')} to rows of ${to} that are neither in the file nor in the database`,
      );
    }
  }
}
