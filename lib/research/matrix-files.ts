import { type Cell, columnCsv, columnParquet, type FileColumn } from '#lib/data/column-file.ts';
import type { SnapshotMatrix } from './research-snapshots.schema.ts';

/** The layouts of a matrix file: one row per entity with a column per feature, or one row per cell. */
export const matrixLayouts = ['wide', 'long'] as const;
export type MatrixLayout = (typeof matrixLayouts)[number];

/**
 * Formats a matrix as RFC 4180 CSV with a header line. Null values are empty. Numbers use the fewest digits that read
 * back to the same value.
 */
export function matrixCsv(matrix: SnapshotMatrix, layout: MatrixLayout): Uint8Array {
  return columnCsv(columnsOf(matrix, layout));
}

/**
 * Formats a matrix as Apache Parquet: strings, values as doubles, and ages as 32-bit integers. All columns
 * except the entity are nullable.
 */
export function matrixParquet(matrix: SnapshotMatrix, layout: MatrixLayout): Uint8Array {
  return columnParquet(columnsOf(matrix, layout));
}

function columnsOf({ entities, columns }: SnapshotMatrix, layout: MatrixLayout): FileColumn[] {
  if (layout === 'wide') {
    const features = columns.map(({ feature, values }) => column(feature, 'DOUBLE', values));
    return [{ ...column('entity', 'STRING', entities), nullable: false }, ...features];
  }
  const all = (cells: (column: SnapshotMatrix['columns'][number]) => readonly Cell[]) =>
    columns.flatMap(cells);
  return [
    {
      ...column(
        'entity',
        'STRING',
        all(() => entities),
      ),
      nullable: false,
    },
    column(
      'feature',
      'STRING',
      all(({ feature }) => entities.map(() => feature)),
    ),
    column(
      'version',
      'INT32',
      all(({ version }) => entities.map(() => version)),
    ),
    column(
      'value',
      'DOUBLE',
      all(({ values }) => values),
    ),
    column(
      'event_time',
      'STRING',
      all(({ event_times }) => event_times),
    ),
    column(
      'known_at',
      'STRING',
      all(({ known_at }) => known_at),
    ),
    column(
      'age_days',
      'INT32',
      all(({ age_days }) => age_days),
    ),
    column(
      'reason',
      'STRING',
      all(({ reasons }) => reasons),
    ),
  ];
}

function column(name: string, type: FileColumn['type'], data: readonly Cell[]): FileColumn {
  return { name, type, data, nullable: true };
}
