import { Client } from 'pg';
import { NUMBERS_PER_CELL } from '#lib/database/number-range.ts';
import type { Manifest } from './manifest.ts';
import type { PlannedTable } from './plan.ts';

/** The difference between the new and the old number of each row, by table. */
export type Shifts = ReadonlyMap<string, bigint>;

/** How long a reservation waits for transactions that are writing into the table, in milliseconds. */
const LOCK_MS = 10_000;

/**
 * Reserves the numbers of an import, in short transactions of its own, so that concurrent work never assigns them. Kept
 * numbers in the database's own range are passed over. For all other numbers, the rows get a new block, in the same
 * order and above all numbers assigned so far. Returns how far the numbers of each table move. An import that fails
 * later leaves a gap in the numbers.
 */
export async function reserveNumbers(
  url: string,
  tables: readonly PlannedTable[],
  manifest: Manifest,
): Promise<Shifts> {
  const records = new Map(manifest.tables.map((record) => [record.name, record]));
  const shifts = new Map<string, bigint>();
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the interrupted query fails with the error
  await client.connect();
  try {
    for (const { name, identity } of tables) {
      const numbers = records.get(name)?.numbers;
      if (!identity || !numbers) continue;
      await client.query('begin');
      await client.query(`set local lock_timeout = ${LOCK_MS}`);
      // A statement that assigns a number locks the table first, so nobody assigns numbers meanwhile.
      await client.query(`lock table public.${name} in share row exclusive mode`);
      const shift = await reserve(
        client,
        { name, column: identity.column, isKept: identity.isKept },
        numbers,
      );
      await client.query('commit');
      shifts.set(name, shift);
    }
    return shifts;
  } finally {
    await client.end();
  }
}

async function reserve(
  client: Client,
  { name, column, isKept }: { name: string; column: string; isKept: boolean },
  { from, to }: { from: number; to: number },
): Promise<bigint> {
  const { rows } = await client.query<{ sequence: string; min: string; max: string }>(
    `select s.sequence, p.min_value as min, p.max_value as max
     from (select pg_get_serial_sequence($1, $2) as sequence) s
     join pg_sequences p on format('%I.%I', p.schemaname, p.sequencename) = s.sequence`,
    [`public.${name}`, column],
  );
  const { sequence, min, max } = rows[0]!;
  const state = await client.query<{ next: string }>(
    `select (case when is_called then last_value + 1 else last_value end)::text as next from ${sequence}`,
  );
  const next = BigInt(state.rows[0]!.next);
  const [first, last] = [BigInt(from), BigInt(to)];
  if (isKept) {
    // A database without a range assigns numbers from 1, as cell 0 does, until it has passed that range.
    const isUnclaimed = min === '1' && next <= NUMBERS_PER_CELL;
    const isOwn = last >= BigInt(min) && last <= BigInt(isUnclaimed ? NUMBERS_PER_CELL : max);
    if (isOwn && last >= next) await client.query('select setval($1, $2)', [sequence, String(last)]);
    return 0n;
  }
  const shift = next - first;
  await client.query('select setval($1, $2)', [sequence, String(last + shift)]);
  return shift;
}
