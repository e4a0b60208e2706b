import type { RejectedLine } from '#lib/data/import/load/reject-lines.ts';
import { statementOf, type TotalRow } from './total-row.ts';

type Faults = {
  /** The statements with a faulty row. */
  faulty: ReadonlySet<string>;
  /** The faults of rows that differ from the events, or have an unknown symbol. */
  faults: readonly RejectedLine[];
};

/**
 * Divides rows into the rows of statements without a fault, and the rejected rows. A statement lists all positions, or
 * all cash, of a portfolio on a day. A part of a statement would report the missing rows as 0, so a statement
 * with a fault is rejected as a whole.
 */
export function completeStatements(
  rows: readonly TotalRow[],
  { faulty, faults }: Faults,
): { rows: TotalRow[]; rejected: RejectedLine[] } {
  const reasons = new Map<number, string>();
  for (const { line, reason } of faults)
    reasons.set(line, reasons.has(line) ? `${reasons.get(line)}; ${reason}` : reason);
  const rejected = new Set(faulty);
  for (const row of rows) if (reasons.has(row.line)) rejected.add(statementOf(row));
  const isRejected = (row: TotalRow) => rejected.has(statementOf(row));
  return {
    rows: rows.filter((row) => !isRejected(row)),
    rejected: rows.filter(isRejected).map((row) => ({
      line: row.line,
      reason: reasons.get(row.line) ?? `the statement of ${row.portfolio} on ${row.asOf} has a rejected row`,
    })),
  };
}
