import { Pool, type PoolClient } from 'pg';
import type { Statement } from './statements.ts';

/** The number of rows of each table before the measurement starts: one row per delegation. */
export const BARE_ROWS = 100;

export type Bare = { once(turn: number): Promise<void>; close(): Promise<void> };

type Table = { insert: string; values: unknown[] };

/**
 * Opens the peer of the bench, which runs the same transactions on copies of the tables. Each transaction has the same
 * number of statements of each kind as Assay's transaction. Each statement uses one row, found by its primary key. The
 * copied tables have only the primary key: no other index, rule, trigger or policy. An inserted row is a copy of a row
 * that Assay wrote. Later statements of the transaction use the inserted row. The connections belong to the superuser,
 * to whom no policy applies.
 */
export async function openBare(
  url: string,
  connections: number,
  transactions: readonly (readonly Statement[])[],
): Promise<Bare> {
  const pool = new Pool({ connectionString: url, max: connections });
  const statements = transactions.flat();
  const tables = new Map<string, Table>();
  for (const { table } of statements) {
    if (table !== null && !tables.has(table)) tables.set(table, await copyTable(pool, table));
  }
  let last = BARE_ROWS;
  /** `made`: the keys of the rows inserted so far, by table. */
  const run = async (
    client: PoolClient,
    { command, table }: Statement,
    row: number,
    made: Map<string, number>,
  ) => {
    if (table === null) return client.query('select $1::bigint', [row]);
    if (command === 'insert') {
      const { insert, values } = tables.get(table)!;
      made.set(table, ++last);
      return client.query(insert, [last, ...values]);
    }
    const key = made.get(table) ?? row;
    if (command === 'update') {
      return client.query(`update bare.${table} set bare_turn = bare_turn + 1 where bare_key = $1`, [key]);
    }
    return client.query(`select * from bare.${table} where bare_key = $1`, [key]);
  };
  return {
    async once(turn) {
      const row = (turn % BARE_ROWS) + 1;
      const made = new Map<string, number>();
      for (const transaction of transactions) {
        const client = await pool.connect();
        try {
          await client.query('begin');
          for (const statement of transaction) await run(client, statement, row, made);
          await client.query('commit');
        } finally {
          client.release();
        }
      }
    },
    close: () => pool.end(),
  };
}

/**
 * Creates a copy of a table with every column. The copy contains one row of the table many times. Returns this row for
 * further inserts.
 */
async function copyTable(pool: Pool, table: string): Promise<Table> {
  await pool.query('create schema if not exists bare');
  await pool.query(`drop table if exists bare.${table}`);
  await pool.query(`
    create table bare.${table} as
    select row_number::bigint as bare_key, 0 as bare_turn, template.* from generate_series(1, ${BARE_ROWS}) row_number
      left join (select * from public.${table} limit 1) template on true`);
  await pool.query(`alter table bare.${table} add primary key (bare_key)`);
  const { rows, fields } = await pool.query<unknown[]>({
    text: `select * from bare.${table} where bare_key = 1`,
    rowMode: 'array',
    types: { getTypeParser: () => (text: string) => text },
  });
  const places = fields.map((_, place) => `$${place + 1}`);
  return { insert: `insert into bare.${table} values (${places.join()})`, values: rows[0]!.slice(1) };
}
