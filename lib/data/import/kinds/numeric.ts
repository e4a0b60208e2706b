import { createHash, type Hash } from 'node:crypto';
import { sql } from 'kysely';
import { isDate } from '#lib/core/date.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { copyInto } from '#lib/database/copy.ts';
import type { Em } from '#lib/database/base.ts';
import { columnsOf, isNumeric, readNumberText, type NumericColumn } from '../../numeric-columns.ts';
import { contentHead, contentLine } from '../../numeric-content.ts';
import type { Columns } from '../readers/columns.ts';
import { splitCsvLine } from '../readers/csv-line.ts';
import { lineBlocks } from '../readers/csv-source.ts';
import { refuseFile } from '../load/fault-list.ts';
import { textFault } from '../readers/fields.ts';
import type { Load, Loaded } from '../load/import-request.ts';
import { RowReader, type RowParser } from '../readers/row-reader.ts';

const STAGED = 'numeric_staging';

/** A row with its numbers as `numbersOf` joins them. */
type NumericRow = { observedOn: string | null; entity: string | null; numbers: string };

/**
 * Loads a numeric table as the new content of a dataset. Older contents are kept under their revisions. The content
 * hash covers the columns and the rows in order, independent of the number format in the file. The hash is the SHA-256
 * of the JSON lines written by `contentHead` and `contentLine`.
 */
export async function loadNumeric(em: Em, load: Load): Promise<Loaded> {
  const columns = await readColumns(load);
  const file = createHash('sha256');
  const content = createHash('sha256').update(contentHead(columns, load.snapshots));
  const reader = new RowReader<NumericRow>({
    path: load.path,
    rules: { required: columns.map(({ name }) => name) },
    parser: ({ names }) => numericParser(columns, names),
    hash: file,
    onProgress: load.onProgress,
  });
  await sql
    .raw(
      `drop table if exists pg_temp.${STAGED};
       create temp table ${STAGED} (position integer, observed_on date, entity text collate "C",
         "values" double precision[]) on commit drop`,
    )
    .execute(em.getKysely());
  await copyInto(em, STAGED, copyText(reader, content));
  if (reader.rejected > 0) throw reader.faults.refusal();
  const contentHash = content.digest('hex');
  const isNew = await keep(em, load, { columns, contentHash, rows: reader.read });
  return {
    hashes: { content: file.digest('hex'), versions: statedHash(load) },
    rows: {
      read: reader.read,
      inserted: isNew ? reader.read : 0,
      corrected: 0,
      unchanged: isNew ? 0 : reader.read,
      rejected: 0,
    },
  };
}

/**
 * Returns the hash of the data that was given in addition to the file: the column descriptions, and the snapshots from
 * which the file was built.
 */
export function statedHash({ columns, snapshots }: Pick<Load, 'columns' | 'snapshots'>): string | null {
  if (snapshots) return canonicalHash({ columns: columns ?? null, snapshots });
  return columns ? canonicalHash(columns) : null;
}

type Content = { columns: NumericColumn[]; contentHash: string; rows: number };

/** Stores the staged rows, unless they equal the current content. Returns whether the rows were stored. */
async function keep(em: Em, load: Load, { columns, contentHash, rows }: Content): Promise<boolean> {
  const database = em.getKysely();
  const { datasetId, revision } = load;
  const described = JSON.stringify(columns);
  const held = await sql<{ contentHash: string; columns: NumericColumn[] }>`
    select content_hash as "contentHash", columns from numeric_version
    where dataset_id = ${datasetId} order by revision desc limit 1
  `.execute(database);
  const newest = held.rows[0];
  if (newest?.contentHash === contentHash && JSON.stringify(newest.columns) === described) return false;
  const snapshots = load.snapshots ? JSON.stringify(load.snapshots) : null;
  await sql`
    insert into numeric_version (dataset_id, revision, content_hash, columns, row_count, imported_by_uid, imported_at,
      snapshots)
    values (${datasetId}, ${revision}, ${contentHash}, ${described}::json, ${rows}, ${load.importedBy ?? null},
      ${load.now.toISOString()}, ${snapshots}::json)
  `.execute(database);
  await sql`
    insert into numeric_row (dataset_id, revision, position, observed_on, entity, "values")
    select ${datasetId}, ${revision}, position, observed_on, entity, "values" from ${sql.table(STAGED)}
    order by position
  `.execute(database);
  return true;
}

/** Reads the columns from the header of the file and the given descriptions. */
async function readColumns({ path, columns: stated }: Load): Promise<NumericColumn[]> {
  for await (const { lines } of lineBlocks(path)) {
    const header = splitCsvLine(lines[0]!);
    const columns = header ? columnsOf(header, stated) : 'the header has unbalanced quotes';
    if (typeof columns !== 'string') return columns;
    throw refuseFile(1, [{ column: null, value: null, reason: columns }]);
  }
  throw refuseFile(1, [{ column: null, value: null, reason: 'the file is empty' }]);
}

function numericParser(columns: readonly NumericColumn[], names: Columns['names']): RowParser<NumericRow> {
  const inOrder = names.map((name) => columns.find((column) => column.name === name)!);
  return (fields, _line, report) => {
    let isValid = true;
    const row: NumericRow = { observedOn: null, entity: null, numbers: '' };
    for (let at = 0; at < inOrder.length; at++) {
      const column = inOrder[at]!;
      const text = fields[at]!;
      const read = readField(text, column);
      if (typeof read !== 'string') {
        isValid = false;
        report(column.name, text, read.fault);
      } else if (column.type === 'date') row.observedOn = read;
      else if (column.type === 'entity') row.entity = read;
      else row.numbers += row.numbers === '' ? read : `,${read}`;
    }
    return isValid ? row : undefined;
  };
}

function readField(text: string, column: NumericColumn): string | { fault: string } {
  if (column.type === 'date') return isDate(text) ? text : { fault: 'is not a calendar date YYYY-MM-DD' };
  if (isNumeric(column)) return readNumberText(text, column.type);
  const fault = textFault(text);
  return fault === undefined ? text.normalize() : { fault };
}

async function* copyText(reader: RowReader<NumericRow>, content: Hash): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const rows of reader.batches()) {
    let text = '';
    let canonical = '';
    for (const row of rows) {
      const { observedOn, entity, numbers } = row;
      position += 1;
      canonical += contentLine(row, numbers);
      text += `${position}\t${observedOn ?? '\\N'}\t${entity?.replaceAll('\\', '\\\\') ?? '\\N'}\t{${numbers}}\n`;
    }
    content.update(canonical);
    yield Buffer.from(text);
  }
}
