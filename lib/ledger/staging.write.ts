import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { copyInto } from '#lib/database/copy.ts';
import { ABSENT } from '#lib/data/import/kinds/observation-kind.ts';
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
  await copyInto(em, STAGED, copyRows(reader));
  // The planner needs the statistics of the columns in conditions and joins only.
  await sql`analyze ${sql.table(STAGED)} (account, counterparty_id, reference, reverses)`.execute(
    em.getKysely(),
  );
}

async function* copyRows(reader: RowReader<TransactionRow>): AsyncGenerator<Buffer> {
  for await (const rows of reader.batches()) yield Buffer.from(rows.map(copyLine).join(''));
}

function copyLine(row: TransactionRow): string {
  const uid = newUid(prefixes.ledgerTransaction); // used only if the transaction is new
  const about = `${row.line}\t${uid}\t${row.bookedAt}\t${row.valueDate}\t${row.direction}\t${row.currency}`;
  const amount = `${row.amountMinor}\t${row.amountScale}\t${row.account}\t${row.counterpartyId ?? ABSENT}`;
  const said = `${copyText(row.description)}\t${copyText(row.category)}\t${row.status}`;
  const references = `${copyText(row.reference)}\t${copyText(row.reverses)}\t${row.sourceHash}`;
  return `${about}\t${amount}\t${said}\t${references}\n`;
}

/** Returns a text as COPY text. Control characters were rejected, so only the backslash needs an escape. */
function copyText(text: string | null): string {
  return text === null ? ABSENT : text.includes('\\') ? text.replaceAll('\\', '\\\\') : text;
}
