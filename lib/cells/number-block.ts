import { isDeepStrictEqual } from 'node:util';
import type { ClientBase } from 'pg';
import { NUMBERS_PER_CELL } from '#lib/database/number-range.ts';
import type { Manifest, NumberRange, TableRecord } from './manifest.ts';
import type { Identity, PlannedTable } from './plan.ts';
import { CellRefused } from './refused.ts';

/** The numbers that the rows of a table get. */
export type Block = {
  /** The difference between the new and the old number of each row. */
  shift: bigint;
  /** For kept numbers: the numbers that the database assigns later, which no row may have. */
  unassigned?: { from: bigint; to: bigint };
};

/** The blocks of numbers that the rows of an import get, by table. */
export type Blocks = ReadonlyMap<string, Block>;

/** The numbers of a table that the database assigns, and the next one. */
export type Range = { name: string; min: bigint; max: bigint; next: bigint };

type Sender = Pick<ClientBase, 'query'>;

/** The largest block of numbers of one import. The rows of other workspaces in the old cell lie between its rows. */
const BLOCK_MAX = 2n ** 40n;

/**
 * Reads the smallest and the largest number of a workspace's rows in a table, ascending: within the range of each cell if
 * the numbers are kept, otherwise of all rows. Returns nothing if there are no rows.
 */
export async function readRanges(
  client: Sender,
  { name, identity: { column, isKept }, rowsOf }: PlannedTable & { identity: Identity },
  workspace: string,
): Promise<NumberRange[]> {
  const { rows } = await client.query<NumberRange>(
    `select min(${column})::float8 as "from", max(${column})::float8 as "to" from public.${name}
     where ${rowsOf(workspace)} group by ${isKept ? `(${column} - 1) / ${NUMBERS_PER_CELL}` : '()'}
     having count(*) > 0 order by 1`,
  );
  return rows;
}

/** Refuses a table whose manifest does not state the numbers of its rows. */
export function refuseUnstated({ name, rows, numbers }: TableRecord, { isKept }: Identity): void {
  const isStated = numbers ? rows > 0 && numbers.from <= numbers.to : rows === 0;
  if (isStated && (numbers?.ranges !== undefined) === (isKept && rows > 0)) return;
  throw new CellRefused('export_damaged', `the manifest does not state the numbers of ${name}`);
}

/**
 * Refuses a block of more than a thousandth of the numbers of its sequence, or one that ends in the second half of them.
 * All workspaces share the numbers, and a file states its block itself.
 */
export function refuseLargeBlock(
  { from, to }: { from: bigint; to: bigint },
  { name, max, next }: Range,
): void {
  const largest = max / 1_000n < BLOCK_MAX ? max / 1_000n : BLOCK_MAX;
  const count = to - from + 1n;
  if (count <= largest && next + count <= max / 2n) return;
  throw new CellRefused(
    'numbers_refused',
    `${name} needs a block of ${count} numbers from ${next}; one import can use ${largest}, up to ${max / 2n}`,
  );
}

/**
 * Decides what the sequence of kept numbers does: the numbers outside its own range do not concern it, and it passes over
 * those within. Returns the numbers that the database assigns from then on; the first is never below `next`. Refuses a
 * number that the database assigns later, except of a returning workspace.
 */
export function passOver(
  ranges: readonly NumberRange[],
  { isReturning, ...range }: Range & { isReturning: boolean },
): NonNullable<Block['unassigned']> {
  const { min, next } = range;
  // A database without a range assigns numbers from 1, as cell 0 does, until it has passed that range.
  const max = min === 1n && next <= NUMBERS_PER_CELL ? BigInt(NUMBERS_PER_CELL) : range.max;
  const own = ranges.map(({ to }) => BigInt(to)).filter((to) => to >= min && to <= max);
  const last = own.reduce((largest, to) => (to > largest ? to : largest), 0n);
  if (last < next) return { from: next, to: max };
  refuseUnassigned(last, { ...range, max, isReturning });
  return { from: last + 1n, to: max };
}

/**
 * Refuses a kept number that the database assigns later. A returning workspace may bring one, from the first half of the
 * range.
 */
function refuseUnassigned(
  number: bigint,
  { name, min, max, isReturning }: Range & { isReturning: boolean },
): void {
  if (isReturning && number <= (min + max) / 2n) return;
  throw new CellRefused(
    'numbers_refused',
    `${name} has the number ${number}, which this database assigns later. Cells with a CELL_NUMBER of their own assign ` +
      'separate numbers.',
  );
}

/** Refuses loaded rows whose numbers are not those that the manifest states, or that the database assigns later. */
export async function refuseStrayNumbers(
  client: Sender,
  manifest: Manifest,
  { tables, blocks, workspace }: { tables: readonly PlannedTable[]; blocks: Blocks; workspace: string },
): Promise<void> {
  const records = new Map(manifest.tables.map((record) => [record.name, record]));
  for (const { identity, ...table } of tables) {
    const { name, rowsOf } = table;
    const [block, numbers] = [blocks.get(name), records.get(name)!.numbers];
    if (!identity || !block || !numbers) continue;
    const { shift, unassigned } = block;
    const { rows } = await client.query<{ from: string; to: string; isStray: boolean | null }>(
      `select min(${identity.column})::text as "from", max(${identity.column})::text as "to",
         bool_or(${identity.column} between $1::bigint and $2::bigint) as "isStray"
       from public.${name} where ${rowsOf(workspace)}`,
      [unassigned, unassigned].map((range, at) => (range ? String(at === 0 ? range.from : range.to) : null)),
    );
    const { from, to, isStray } = rows[0]!;
    const [first, last] = [numbers.from, numbers.to].map((number) => String(BigInt(number) + shift));
    const isOther =
      numbers.ranges !== undefined &&
      !isDeepStrictEqual(await readRanges(client, { ...table, identity }, workspace), numbers.ranges);
    if (from !== first || to !== last || isStray || isOther)
      throw new CellRefused(
        'export_damaged',
        `the rows of ${name} have other numbers than the manifest states`,
      );
  }
}
