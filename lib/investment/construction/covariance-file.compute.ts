import { columnCsv, columnParquet, type FileColumn } from '#lib/data/column-file.ts';
import type { Covariance } from './covariance.schema.ts';

export type CovarianceFileInput = { matrix: Covariance; form: 'csv' | 'parquet' };

/**
 * Formats a covariance matrix as a file in a thread: a column `symbol`, then one column per symbol, and one row per
 * symbol.
 */
export default function covarianceFile({ matrix, form }: CovarianceFileInput): Uint8Array<ArrayBuffer> {
  const { symbols, covariance } = matrix;
  const numbers = symbols.map((name, k): FileColumn => ({
    name,
    type: 'DOUBLE',
    data: covariance.map((row) => row[k]!),
    nullable: false,
  }));
  const columns: FileColumn[] = [
    { name: 'symbol', type: 'STRING', data: symbols, nullable: false },
    ...numbers,
  ];
  return form === 'csv' ? columnCsv(columns) : columnParquet(columns);
}
