import type { ColumnRules, Columns } from '../readers/columns.ts';
import type { RowParser } from '../readers/row-reader.ts';

/** A parsed row before the merge: the key of the observation, and its values as COPY text of PostgreSQL. */
export type StagedRow = {
  line: number;
  /** The observed subject: a symbol, a series or a company. */
  subject: string;
  /** The further key columns as COPY text, each with a leading tab. */
  keys?: string;
  observedOn: string;
  knownAt: string | undefined;
  /** Whether the row withdraws the known observation. */
  isWithdrawn?: boolean;
  values: string;
};

/** The time of the import, as an instant and as a day. Checks and rows depend on it. */
export type ImportTime = { now: Date; today: string };

/**
 * A kind of file whose rows are observations of a subject on a day, known at a moment. All such kinds are
 * staged and merged into a bitemporal table in the same way.
 */
export type ObservationKind = {
  table: string;
  /** The table column with the observed subject. */
  subject: string;
  /** Further text columns that distinguish observations of a subject and day. */
  keys?: readonly string[];
  columns: ColumnRules;
  /** The value columns of table and file. They are numeric unless listed in `textValues`. */
  values: readonly string[];
  textValues?: readonly string[];
  /** Whether each row states all values. Otherwise a row states only the columns of its file. */
  statesAllValues?: true;
  parser(columns: Columns, time: ImportTime): RowParser<StagedRow>;
};

/** An absent value in COPY text. */
export const ABSENT = '\\N';

/** The optional column that withdraws an observation. Every kind of file can have it. */
export const WITHDRAWN = 'withdrawn';

/** Reads `withdrawn`: `true`, `false` or empty. A withdrawn observation must not have values. */
export function readWithdrawn(
  text: string,
  values: readonly { column: string; text: string }[],
  refuse: (column: string, value: string, reason: string) => void,
): boolean {
  if (text !== 'true') {
    if (text !== '' && text !== 'false') refuse(WITHDRAWN, text, 'is neither true nor false');
    return false;
  }
  for (const { column, text: value } of values) {
    if (value !== '') refuse(column, value, 'must be empty, because the observation is withdrawn');
  }
  return true;
}
