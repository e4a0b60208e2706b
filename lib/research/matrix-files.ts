import { parquetWriteBuffer } from 'hyparquet-writer';
import { joinCsvLine } from '#lib/data/import/readers/csv-line.ts';
import type { SnapshotMatrix } from './research-snapshots.schema.ts';

/** The layouts of a matrix file: one row per entity with a column per feature, or one row per cell. */
export const matrixLayouts = ['wide', 'long'] as const;
export type MatrixLayout = (typeof matrixLayouts)[number];

type Cell = string | number | null;
type ColumnType = 'STRING' | 'DOUBLE' | 'INT32';
type FileColumn = { name: string; type: ColumnType; data: readonly Cell[] };

/**
 * Formats a matrix as RFC 4180 CSV with a header line. Null values are empty. Numbers use the fewest digits that read
 * back to the same value.
 */
export function matrixCsv(matrix: SnapshotMatrix, layout: MatrixLayout): Uint8Array {
  const columns = columnsOf(matrix, layout);
  const lines = [joinCsvLine(columns.map(({ name }) => name))];
  const rows = columns[0]!.data.length;
  for (let at = 0; at < rows; at += 1) {
    lines.push(joinCsvLine(columns.map(({ data }) => String(data[at] ?? ''))));
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
}

/**
 * Formats a matrix as Apache Parquet: strings, values as doubles, and ages as 32-bit integers. All columns
 * except the entity are nullable.
 */
export function matrixParquet(matrix: SnapshotMatrix, layout: MatrixLayout): Uint8Array {
  const columnData = columnsOf(matrix, layout).map(({ name, type, data }) => ({
    name,
    type,
    data: data as Cell[],
    nullable: name !== 'entity',
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function columnsOf({ entities, columns }: SnapshotMatrix, layout: MatrixLayout): FileColumn[] {
  if (layout === 'wide') {
    const features = columns.map(({ feature, values }) => ({
      name: feature,
      type: 'DOUBLE' as const,
      data: values,
    }));
    return [{ name: 'entity', type: 'STRING', data: entities }, ...features];
  }
  const all = (cells: (column: SnapshotMatrix['columns'][number]) => readonly Cell[]) =>
    columns.flatMap(cells);
  return [
    { name: 'entity', type: 'STRING', data: all(() => entities) },
    { name: 'feature', type: 'STRING', data: all(({ feature }) => entities.map(() => feature)) },
    { name: 'version', type: 'INT32', data: all(({ version }) => entities.map(() => version)) },
    { name: 'value', type: 'DOUBLE', data: all(({ values }) => values) },
    { name: 'event_time', type: 'STRING', data: all(({ event_times }) => event_times) },
    { name: 'known_at', type: 'STRING', data: all(({ known_at }) => known_at) },
    { name: 'age_days', type: 'INT32', data: all(({ age_days }) => age_days) },
    { name: 'reason', type: 'STRING', data: all(({ reasons }) => reasons) },
  ];
}
