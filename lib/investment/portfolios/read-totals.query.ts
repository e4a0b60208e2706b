import { createHash } from 'node:crypto';
import { refuseFile } from '#lib/data/import/load/fault-list.ts';
import type { RejectsFile } from '#lib/data/import/load/rejects-file.ts';
import type { Mapping } from '#lib/data/import/readers/mapping.ts';
import { RowReader } from '#lib/data/import/readers/row-reader.ts';
import type { KnownPortfolios } from './event-row.ts';
import { cashColumns, positionColumns, totalParser, type TotalRow } from './total-row.ts';

/** Maximum number of rows in a file. */
const ROWS_MAX = 100_000;

type TotalsFile = { kind: 'positions' | 'cash'; path: string; mapping?: Mapping | undefined };
type Reading = { portfolios: KnownPortfolios; today: string; rejects: RejectsFile | undefined };

export type ReadTotals = {
  /** The valid rows. */
  rows: TotalRow[];
  /** The statements with a faulty row. */
  faulty: ReadonlySet<string>;
  /** The number of faulty rows whose statement is unknown. */
  unattributed: number;
  reader: RowReader<TotalRow>;
  contentHash: string;
};

/**
 * Reads a file of positions or of cash balances. Faulty rows are among the faults of the reader. Throws an
 * `ImportRefused` if the file is not valid as a whole, or has too many rows.
 */
export async function readTotals(
  { kind, path, mapping }: TotalsFile,
  { portfolios, today, rejects }: Reading,
): Promise<ReadTotals> {
  const hash = createHash('sha256');
  const faulty = new Map<string, number>();
  const reader = new RowReader<TotalRow>({
    path,
    rules: kind === 'positions' ? positionColumns : cashColumns,
    mapping,
    parser: (columns) => totalParser(kind, columns, { portfolios, today, faulty }),
    rejects,
    hash,
  });
  const rows: TotalRow[] = [];
  for await (const batch of reader.batches()) {
    rows.push(...batch);
    if (rows.length > ROWS_MAX)
      throw refuseFile(rows[ROWS_MAX]!.line, [
        { column: null, value: null, reason: `the file has more than ${ROWS_MAX} rows` },
      ]);
  }
  const attributed = [...faulty.values()].reduce((sum, count) => sum + count, 0);
  const unattributed = reader.rejected - attributed;
  return { rows, faulty: new Set(faulty.keys()), unattributed, reader, contentHash: hash.digest('hex') };
}
