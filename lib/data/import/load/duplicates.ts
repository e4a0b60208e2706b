import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { ERRORS_SHOWN_MAX } from './fault-list.ts';
import type { RowFault } from './import-refused.ts';
import { rejectLines, type RejectedLine } from './reject-lines.ts';
import type { RejectsFile } from './rejects-file.ts';
import { STAGING } from './staging.ts';

const DUPLICATES = 'import_duplicate';
const PAGE_ROWS = 5_000;

type Duplicate = { line: number; other: number; key: string; states_nothing: boolean };

/** Returns those columns of staged rows that identify an observation. */
function key(keys: readonly string[]) {
  return sql.join(['subject', ...keys, 'observed_on'].map((name) => sql.ref(name)));
}

/** Whether an observation occurs in more than one row of the staged file. */
export async function hasRepeatedKeys(em: Em, keys: readonly string[] = []): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from ${sql.table(STAGING)} group by ${key(keys)} having count(*) > 1
    ) as found
  `.execute(em.getKysely());
  return rows[0]!.found;
}

/**
 * Removes duplicates from the staging table: rows for the same observation, known at the same moment as an earlier row.
 * If one of several rows of an observation states a moment, its rows without a stated moment are removed too, because
 * their order is unknown. Returns the number of removed lines and rows, and the first removed rows.
 */
export async function removeDuplicates(
  em: Em,
  keys: readonly string[] = [],
): Promise<{ lines: number; rows: number; first: RowFault[] }> {
  const database = em.getKysely();
  await sql`drop table if exists pg_temp.import_duplicate`.execute(database);
  await sql`
    create temp table ${sql.table(DUPLICATES)} on commit drop as
    select distinct on (line) line, case when first_line = line then stated_line else first_line end as other,
      concat_ws(' ', ${key(keys)}) as key, first_line = line as states_nothing
    from (
      select line, known_at, ${key(keys)},
        min(line) over (partition by ${key(keys)}, known_at) as first_line,
        min(line) filter (where known_at is not null) over (partition by ${key(keys)}) as stated_line
      from ${sql.table(STAGING)}
    ) numbered
    where first_line <> line or (known_at is null and stated_line is not null)
    order by line
  `.execute(database);
  const { numAffectedRows } = await sql`
    delete from ${sql.table(STAGING)} staged using ${sql.table(DUPLICATES)} repeated
    where repeated.line = staged.line
  `.execute(database);
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from ${sql.table(DUPLICATES)}
  `.execute(database);
  const first = await duplicatesAfter(em, 0, ERRORS_SHOWN_MAX);
  return {
    lines: rows[0]!.total,
    rows: Number(numAffectedRows ?? 0),
    first: first.map((duplicate) => ({
      line: duplicate.line,
      column: null,
      value: duplicate.key,
      reason: reasonOf(duplicate),
    })),
  };
}

/** Writes the removed rows to the rejects file as they are in the source file. */
export function rejectDuplicates(em: Em, path: string, rejects: RejectsFile): Promise<void> {
  return rejectLines(path, duplicateLines(em), rejects);
}

/** Yields the removed lines in their order, each once. */
async function* duplicateLines(em: Em): AsyncGenerator<RejectedLine> {
  let last = 0;
  for (;;) {
    const page = await duplicatesAfter(em, last, PAGE_ROWS);
    for (const duplicate of page) {
      if (duplicate.line !== last) yield { line: duplicate.line, reason: reasonOf(duplicate) };
      last = duplicate.line;
    }
    if (page.length < PAGE_ROWS) return;
  }
}

async function duplicatesAfter(em: Em, line: number, limit: number): Promise<Duplicate[]> {
  const { rows } = await sql<Duplicate>`
    select line, other, key, states_nothing from ${sql.table(DUPLICATES)}
    where line > ${line} order by line limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

function reasonOf({ other, states_nothing }: Duplicate): string {
  return states_nothing
    ? `has no known_at, but line ${other} of the same observation has one`
    : `repeats line ${other}: the same observation, known at the same moment`;
}
