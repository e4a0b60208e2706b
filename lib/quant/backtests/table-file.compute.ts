import { columnCsv, columnParquet, type FileColumn } from '#lib/data/column-file.ts';

/** A table by columns, and the format of its file. Each column is a list of texts or of numbers. */
export type TableFileInput = {
  table: Readonly<Record<string, readonly (string | number)[]>>;
  texts: readonly string[];
  form: 'csv' | 'parquet';
};

/** Formats a table as a file. `texts` are the names of the columns with texts; all others have doubles. */
export default function tableFile({ table, texts, form }: TableFileInput): Uint8Array<ArrayBuffer> {
  const columns = Object.entries(table).map(([name, data]): FileColumn => ({
    name,
    type: texts.includes(name) ? 'STRING' : 'DOUBLE',
    data,
    nullable: false,
  }));
  return form === 'csv' ? columnCsv(columns) : columnParquet(columns);
}
