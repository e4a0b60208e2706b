import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { RowReader } from '#lib/data/import/readers/row-reader.ts';
import type { Em } from '#lib/database/base.ts';
import { copyInto } from '#lib/database/copy.ts';
import type { EventRow } from './event-row.ts';

/** The temporary table for an imported file. It is dropped at the end of the transaction. */
export const STAGED_EVENTS = 'portfolio_staging';

/** Creates the table in the transaction of `em` and copies the valid rows of the file into it. */
export async function stageEvents(em: Em, reader: RowReader<EventRow>): Promise<void> {
  await sql
    .raw(
      `drop table if exists pg_temp.${STAGED_EVENTS};
       create temp table ${STAGED_EVENTS} (line integer, uid text collate "C", portfolio_uid text collate "C",
         reference text collate "C", type text, traded_on date, settled_on date, symbol text collate "C",
         quantity numeric, price numeric, amount_minor bigint, currency text, fees_minor bigint, lot text,
         acquired_on date, basis_minor bigint, withdrawn boolean, known_at timestamptz, source_hash text)
       on commit drop`,
    )
    .execute(em.getKysely());
  await copyInto(em, STAGED_EVENTS, copyText(reader));
  await sql`analyze ${sql.table(STAGED_EVENTS)}`.execute(em.getKysely());
}

async function* copyText(reader: RowReader<EventRow>): AsyncGenerator<Buffer> {
  for await (const rows of reader.batches()) yield Buffer.from(rows.map(copyLine).join(''));
}

function copyLine(row: EventRow): string {
  const values = [
    row.line,
    newUid(prefixes.portfolioEvent), // Used only if the version is new.
    row.portfolioUid,
    row.reference,
    row.type,
    row.tradedOn,
    row.settledOn,
    row.symbol,
    row.quantity,
    row.price,
    row.amountMinor,
    row.currency,
    row.feesMinor,
    row.lot,
    row.acquiredOn,
    row.basisMinor,
    row.withdrawn,
    row.knownAt ?? null,
    row.sourceHash,
  ];
  // Control characters were rejected, so only the backslash needs an escape.
  return `${values.map((value) => (value === null ? '\\N' : String(value).replaceAll('\\', '\\\\'))).join('\t')}\n`;
}
