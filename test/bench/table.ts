import Table from 'cli-table3';
import { tableStyle } from '#api/cli/shell/output.ts';
import type { Row } from './bench.ts';

/** Formats the rows as a table for people. */
export function tableOf(rows: readonly Row[]): string {
  const table = new Table({
    head: ['bench', 'case', 'figure', 'peer', 'unit', 'ratio', 'spread', 'target', 'met', 'note'],
    colAligns: ['left', 'left', 'right', 'right', 'left', 'right', 'right', 'left', 'left', 'left'],
    colWidths: [null, 34, null, null, null, null, null, 20, null, 50],
    wordWrap: true,
    ...tableStyle,
  });
  for (const row of rows) table.push(cellsOf(row));
  return table.toString();
}

function cellsOf(row: Row): string[] {
  return [
    row.bench,
    row.case,
    number(row.figure),
    number(row.peer),
    row.unit,
    number(row.ratio),
    row.spread === null ? '' : row.spread.map(number).join(' to '),
    row.target ?? '',
    row.met === null ? '' : row.met ? 'yes' : 'NO',
    row.note,
  ];
}

/**
 * Formats a number with three significant digits, or with all digits before the decimal point if there are
 * more.
 */
function number(value: number | null): string {
  if (value === null) return '';
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
