import { parquetWriteBuffer } from 'hyparquet-writer';
import { joinCsvLine } from './import/readers/csv-line.ts';

export type Cell = string | number | null;

/** A column of a table file. All columns of a file have the same number of rows. */
export type FileColumn = {
  name: string;
  type: 'STRING' | 'DOUBLE' | 'INT32';
  data: readonly Cell[];
  nullable: boolean;
};

/**
 * Formats columns as RFC 4180 CSV with a header line. Null values are empty. Numbers use the fewest digits that read
 * back to the same value.
 */
export function columnCsv(columns: readonly FileColumn[]): Uint8Array<ArrayBuffer> {
  const lines = [joinCsvLine(columns.map(({ name }) => name))];
  const rows = columns[0]!.data.length;
  for (let at = 0; at < rows; at += 1) {
    lines.push(joinCsvLine(columns.map(({ data }) => String(data[at] ?? ''))));
  }
  return Uint8Array.from(Buffer.from(`${lines.join('\r\n')}\r\n`));
}

/** Formats columns as Apache Parquet: texts, doubles and 32-bit integers. */
export function columnParquet(columns: readonly FileColumn[]): Uint8Array<ArrayBuffer> {
  const columnData = columns.map(({ data, ...column }) => ({ ...column, data: data as Cell[] }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
