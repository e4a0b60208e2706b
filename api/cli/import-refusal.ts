import Table from 'cli-table3';
import type { ImportRefused } from '#lib/data/import/import-refused.ts';
import { tableStyle, tell, type OutputOptions } from './output.ts';

/** Tells on stderr why an import was refused, with the rows at fault: one JSON document, or a table for people. */
export function printRefusal(refusal: ImportRefused, { json }: OutputOptions): void {
  const { code, message, errors, errorsTotal } = refusal;
  if (json) return tell(JSON.stringify({ code, detail: message, errors, errors_total: errorsTotal }));
  tell(`${code}: ${message}`);
  if (errors.length === 0) return;
  const table = new Table({ head: ['line', 'column', 'value', 'reason'], ...tableStyle });
  for (const { line, column, value, reason } of errors) {
    table.push([line, column ?? '', printable(value ?? ''), reason]);
  }
  tell(table.toString());
  if (errorsTotal > errors.length) tell(`and ${errorsTotal - errors.length} more`);
}

/** A value comes from a file: what would steer the terminal is not passed on. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
