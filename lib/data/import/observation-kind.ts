import type { ColumnRules, Columns } from './columns.ts';
import type { RowParser } from './row-reader.ts';

/** What was read of a row before it is merged: the key of the observation, and its values as PostgreSQL's COPY text. */
export type StagedRow = {
  line: number;
  symbol: string;
  observedOn: string;
  knownAt: string | undefined;
  values: string;
};

/** When the import happens, for rules and rows that depend on it. */
export type ImportTime = { now: Date; today: string };

/**
 * A kind of file whose rows are observations: of a symbol, about a day, known at a moment. They are staged and merged
 * into one bitemporal table in the same way.
 */
export type ObservationKind = {
  table: 'price' | 'instrument_version';
  columns: ColumnRules;
  /** The value columns of table and file, and their PostgreSQL type. */
  values: readonly string[];
  valueType: 'numeric' | 'text';
  parser(columns: Columns, time: ImportTime): RowParser<StagedRow>;
};

/** An absent value in COPY text. */
export const ABSENT = '\\N';
