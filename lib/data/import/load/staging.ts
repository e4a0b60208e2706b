import { sql } from 'kysely';
import { copyInto } from '#lib/database/copy.ts';
import type { Em } from '#lib/database/base.ts';
import { KeyOrder } from './key-order.ts';
import { ABSENT, type ObservationKind, type StagedRow } from '../kinds/observation-kind.ts';
import type { RowReader } from '../readers/row-reader.ts';

/** The temporary table of an import. `known_at` is null if the file does not state it. */
export const STAGING = 'import_staging';

/**
 * Creates the staging table, which is dropped at the end of the transaction, and copies the valid rows of a
 * file into it. Returns the observed order of the keys.
 */
export async function stageRows(
  em: Em,
  kind: ObservationKind,
  reader: RowReader<StagedRow>,
): Promise<KeyOrder> {
  const isText = (name: string) => kind.textValues?.includes(name);
  const keys = (kind.keys ?? []).map((name) => `${name} text collate "C", `).join('');
  const values = kind.values.map((name) => `${name} ${isText(name) ? 'text' : 'numeric'}`).join(', ');
  await sql
    .raw(
      `drop table if exists pg_temp.${STAGING};
       create temp table ${STAGING} (line integer, subject text collate "C", ${keys}observed_on date, known_at timestamptz, withdrawn boolean,
         ${values})
       on commit drop`,
    )
    .execute(em.getKysely());
  const order = new KeyOrder();
  await copyInto(em, STAGING, copyText(reader, order));
  return order;
}

async function* copyText(reader: RowReader<StagedRow>, order: KeyOrder): AsyncGenerator<Buffer> {
  for await (const rows of reader.batches()) {
    let text = '';
    for (const { line, subject, keys = '', observedOn, knownAt, isWithdrawn = false, values } of rows) {
      order.see(subject, observedOn, keys);
      text += `${line}\t${subject}${keys}\t${observedOn}\t${knownAt ?? ABSENT}\t${isWithdrawn}${values}\n`;
    }
    yield Buffer.from(text);
  }
}
