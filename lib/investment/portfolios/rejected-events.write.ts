import { sql, type RawBuilder } from 'kysely';
import type { RejectedLine } from '#lib/data/import/load/reject-lines.ts';
import type { Em } from '#lib/database/base.ts';
import { STAGED_EVENTS } from './event-staging.write.ts';

const staged = sql.table(STAGED_EVENTS);
/** The temporary table of rejected staged rows. It is dropped at the end of the transaction. */
const rejected = sql.table('portfolio_rejected');
const PAGE_ROWS = 5_000;

/** Creates the table of rejected rows in the transaction of `em`. */
export async function createRejected(em: Em): Promise<void> {
  await sql`create temp table ${rejected} (line integer primary key, reason text) on commit drop`.execute(
    em.getKysely(),
  );
}

/**
 * Moves staged rows to the rejected rows. The query returns their faults, with `line`, `column` and `reason`.
 */
export async function rejectFaulty(em: Em, faults: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into ${rejected}
    select line, string_agg(f.column || ' ' || f.reason, '; ') from (${faults}) f group by line
  `.execute(em.getKysely());
  await removeRejected(em);
}

/** Moves the staged rows of an event to the rejected rows. Returns their number. */
export async function rejectEvent(
  em: Em,
  { portfolioUid, reference, reason }: { portfolioUid: string; reference: string; reason: string },
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into ${rejected}
    select line, ${`event_reference ${reason}`} from ${staged}
    where portfolio_uid = ${portfolioUid} and reference = ${reference}
  `.execute(em.getKysely());
  await removeRejected(em);
  return Number(numAffectedRows ?? 0);
}

/** Yields the rejected rows, ordered by line. */
export async function* rejectedLines(em: Em): AsyncGenerator<RejectedLine> {
  for (let last = 0; ;) {
    const { rows } = await sql<RejectedLine>`
      select line, reason from ${rejected} where line > ${last} order by line limit ${PAGE_ROWS}
    `.execute(em.getKysely());
    yield* rows;
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)!.line;
  }
}

/** Counts the staged rows that are not rejected. */
export async function countAccepted(em: Em): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${staged}`.execute(
    em.getKysely(),
  );
  return rows[0]!.count;
}

async function removeRejected(em: Em): Promise<void> {
  await sql`delete from ${staged} s using ${rejected} r where r.line = s.line`.execute(em.getKysely());
}
