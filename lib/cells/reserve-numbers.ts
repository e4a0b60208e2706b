import { Client } from 'pg';
import type { Manifest, TableRecord } from './manifest.ts';
import { passOver, refuseLargeBlock, refuseUnstated, type Block, type Blocks } from './number-block.ts';
import type { Identity, PlannedTable } from './plan.ts';

/** How long a reservation waits for transactions that are writing into the table, in milliseconds. */
const LOCK_MS = 10_000;

/**
 * Reserves the numbers of an import, in short transactions of its own, so that concurrent work never assigns them. Kept
 * numbers must have been assigned; only a returning workspace may bring later ones, which are passed over. For all other numbers, the rows get a new block, in the same
 * order and above all numbers assigned so far. Refuses numbers that would use up a sequence. Returns the blocks. An import that fails
 * later leaves a gap in the numbers.
 */
export async function reserveNumbers(
  url: string,
  tables: readonly PlannedTable[],
  { manifest, isReturning }: { manifest: Manifest; isReturning: boolean },
): Promise<Blocks> {
  const records = new Map(manifest.tables.map((record) => [record.name, record]));
  const blocks = new Map<string, Block>();
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the interrupted query fails with the error
  await client.connect();
  try {
    for (const { name, identity } of tables) {
      if (!identity) continue;
      const record = records.get(name)!;
      refuseUnstated(record, identity);
      const { numbers } = record;
      if (!numbers) continue;
      await client.query('begin');
      await client.query(`set local lock_timeout = ${LOCK_MS}`);
      // A statement that assigns a number locks the table first, so nobody assigns numbers meanwhile.
      await client.query(`lock table public.${name} in share row exclusive mode`);
      const block = await reserve(client, { name, ...identity, isReturning }, numbers);
      await client.query('commit');
      blocks.set(name, block);
    }
    return blocks;
  } finally {
    await client.end();
  }
}

async function reserve(
  client: Client,
  { name, column, isKept, isReturning }: { name: string; isReturning: boolean } & Identity,
  { from, to, ranges }: NonNullable<TableRecord['numbers']>,
): Promise<Block> {
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
  const range = { name, min: BigInt(min), max: BigInt(max), next };
  if (isKept) {
    const unassigned = passOver(ranges ?? [], { ...range, isReturning });
    if (unassigned.from > next)
      await client.query('select setval($1, $2)', [sequence, String(unassigned.from - 1n)]);
    return { shift: 0n, unassigned };
  }
  refuseLargeBlock({ from: first, to: last }, range);
  const shift = next - first;
  await client.query('select setval($1, $2)', [sequence, String(last + shift)]);
  return { shift };
}
