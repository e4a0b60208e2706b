import type { ColumnRules, Columns } from '../readers/columns.ts';
import type { RowParser } from '../readers/row-reader.ts';

/** What was read of a row before it is merged: the key of the observation, and its values as PostgreSQL's COPY text. */
export type StagedRow = {
  line: number;
  /** What is observed: a symbol, a series, a company. */
  subject: string;
  /** The further keys of the kind as COPY text, a tab before each. */
  keys?: string;
  observedOn: string;
  knownAt: string | undefined;
  /** Whether the row takes back what was known of the observation. */
  isWithdrawn?: boolean;
  values: string;
};

/** When the import happens, for rules and rows that depend on it. */
export type ImportTime = { now: Date; today: string };

/**
 * A kind of file whose rows are observations: of a subject, about a day, known at a moment. They are staged and merged
 * into one bitemporal table in the same way.
 */
export type ObservationKind = {
  table: string;
  /** Column of the table that says what is observed. */
  subject: string;
  /** Further columns of text that tell the observations of a subject and day apart. */
  keys?: readonly string[];
  columns: ColumnRules;
  /** The value columns of table and file: numeric, but for those that are named as texts. */
  values: readonly string[];
  textValues?: readonly string[];
  /** Every row states all values, whatever columns its file has; else those that are columns of the file. */
  statesAllValues?: true;
  parser(columns: Columns, time: ImportTime): RowParser<StagedRow>;
};

/** An absent value in COPY text. */
export const ABSENT = '\\N';

/** Says that an observation is known not to be one: an optional column of every kind. */
export const WITHDRAWN = 'withdrawn';

/** Reads `withdrawn`, which is `true`, `false` or empty; what is withdrawn has no values. */
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
    if (value !== '') refuse(column, value, 'is stated of an observation that is withdrawn');
  }
  return true;
}
