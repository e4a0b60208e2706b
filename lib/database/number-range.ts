import type { Client } from 'pg';

/**
 * The tables whose identity numbers callers know, such as `dataset_id` and `counterparty_id`, or results are sealed
 * with. A workspace keeps these numbers when it moves to another cell, so the cells assign them from separate ranges.
 */
export const keptNumbers: ReadonlySet<string> = new Set([
  'company',
  'counterparty',
  'dataset',
  'feature_version',
  'research_project',
]);

/** The numbers of a cell. The largest range ends below the largest 32-bit integer. */
export const NUMBERS_PER_CELL = 20_000_000;

/**
 * Gives the sequences of kept numbers the range of a cell: cell 0 assigns 1 to 20,000,000, cell 1 the next 20 million,
 * and so on. Rows keep their numbers. Throws if a sequence is already beyond the range.
 */
export async function claimNumbers(client: Client, cell: number): Promise<void> {
  const first = cell * NUMBERS_PER_CELL + 1;
  const last = (cell + 1) * NUMBERS_PER_CELL;
  for (const table of keptNumbers) {
    const { rows } = await client.query<Sequence>(SEQUENCE, [table]);
    const { sequence, next, min, max } = rows[0]!;
    if (Number(min) === first && Number(max) === last) continue;
    // Numbers that were assigned before the cell had a range stay valid.
    const start = Number(next) >= first && Number(next) <= last ? Number(next) : first;
    if (Number(next) > last) throw new Error(beyond(table, cell));
    await client.query(
      `alter sequence ${sequence} minvalue ${first} maxvalue ${last} start ${first} restart ${start}`,
    );
  }
}

type Sequence = { sequence: string; next: string; min: string; max: string };

const SEQUENCE = `
  select pg_get_serial_sequence('public.' || $1, 'id') as sequence,
    coalesce(s.last_value + 1, s.start_value) as next, s.min_value as min, s.max_value as max
  from pg_sequences s
  where format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence('public.' || $1, 'id')`;

function beyond(table: string, cell: number): string {
  return (
    `the database has already assigned numbers of ${table} beyond the range of cell ${cell}; ` +
    'choose a CELL_NUMBER whose range is free'
  );
}
