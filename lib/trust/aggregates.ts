/** The number of log entries of a period with this operation, status and code. */
export type LogCount = { op: string; status: string; code: string | null; entries: number };

export type Cell = { key: string; entries: number };

/** Counts below this limit are merged into one cell, so that no cell describes the actions of a single person. */
export const CELL_MIN = 3;

/** The key of the merged cell. */
export const OTHER = 'other';

export type Aggregates = {
  entries: number;
  refused: number;
  by_operation: Cell[];
  refusals_by_code: Cell[];
  conflicts: number;
  exceptions_opened: number;
  credential_changes: number;
};

/** Aggregates the entries of a period. The result contains no amounts, names or references. */
export function aggregate(counts: readonly LogCount[]): Aggregates {
  const refused = counts.filter(({ status }) => status === 'refused');
  const of = (wanted: (op: string) => boolean) => sum(counts.filter(({ op }) => wanted(op)));
  return {
    entries: sum(counts),
    refused: sum(refused),
    by_operation: cellsOf(counts, ({ op }) => op),
    refusals_by_code: cellsOf(refused, ({ code }) => code ?? 'uncoded'),
    conflicts: of((op) => op.endsWith('.conflict')),
    exceptions_opened: of((op) => op === 'exception.opened'),
    credential_changes: of((op) => /^(key|oauth_client)\./.test(op)),
  };
}

/** Counts entries by key, ordered by key in code units. Counts below `CELL_MIN` are merged into a last cell. */
export function cellsOf(counts: readonly LogCount[], keyOf: (count: LogCount) => string): Cell[] {
  const totals = new Map<string, number>();
  for (const count of counts) totals.set(keyOf(count), (totals.get(keyOf(count)) ?? 0) + count.entries);
  const cells = [...totals].map(([key, entries]) => ({ key, entries }));
  const large = cells.filter(({ entries }) => entries >= CELL_MIN);
  const small = cells.filter(({ entries }) => entries < CELL_MIN);
  const shown = large.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return small.length === 0
    ? shown
    : [...shown, { key: OTHER, entries: small.reduce((total, { entries }) => total + entries, 0) }];
}

function sum(counts: readonly LogCount[]): number {
  return counts.reduce((total, { entries }) => total + entries, 0);
}
