import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { copyInto } from '#lib/database/copy.ts';
import type { RowReader } from '#lib/data/import/readers/row-reader.ts';
import type { Em } from '#lib/database/base.ts';
import type { TransactionRow } from './transaction-row.ts';

/** The temporary table for an imported file. It is dropped at the end of the transaction. */
export const STAGED = 'ledger_staging';

/** Creates the table in the transaction of `em` and copies the valid rows of the file into it. */
export async function stageTransactions(em: Em, reader: RowReader<TransactionRow>): Promise<void> {
  await sql
    .raw(
      `drop table if exists pg_temp.${STAGED};
       create temp table ${STAGED} (line integer, uid text collate "C", booked_at timestamptz, value_date date,
         direction text, currency text, amount_minor bigint, amount_scale smallint, account text collate "C",
         counterparty_id integer, description text, category text, status text, reference text collate "C",
         reverses text collate "C", source_hash text)
       on commit drop`,
    )
    .execute(em.getKysely());
  await copyInto(em, STAGED, copyText(reader));
  await sql`analyze ${sql.table(STAGED)}`.execute(em.getKysely());
}

async function* copyText(reader: RowReader<TransactionRow>): AsyncGenerator<Buffer> {
  for await (const rows of reader.batches()) yield Buffer.from(rows.map(copyLine).join(''));
}

function copyLine(row: TransactionRow): string {
  const values = [
    row.line,
    newUid(prefixes.ledgerTransaction), // used only if the transaction is new
    row.bookedAt,
    row.valueDate,
    row.direction,
    row.currency,
    row.amountMinor,
    row.amountScale,
    row.account,
    row.counterpartyId,
    row.description,
    row.category,
    row.status,
    row.reference,
    row.reverses,
    row.sourceHash,
  ];
  // Control characters were rejected, so only the backslash needs an escape.
  return `${values.map((value) => (value === null ? '\\N' : String(value).replaceAll('\\', '\\\\'))).join('\t')}\n`;
}
