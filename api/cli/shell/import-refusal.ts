import Table from 'cli-table3';
import { ImportRefused } from '#lib/data/import/load/import-refused.ts';
import { tableStyle, notice, type OutputOptions } from './output.ts';

/**
 * Runs an import. If the import is refused, prints the faulty rows on stderr and ends the process with status
 * 1.
 */
export async function printingRefusal(
  options: OutputOptions,
  work: () => Promise<void>,
  bar?: { stop(): void },
): Promise<void> {
  try {
    await work();
  } catch (error) {
    bar?.stop();
    if (!(error instanceof ImportRefused)) throw error;
    printRefusal(error, options);
    process.exitCode = 1;
  }
}

/**
 * Prints on stderr why an import was refused, and the faulty rows: as one JSON document, or as text with a
 * table for people.
 */
export function printRefusal(refusal: ImportRefused, { json }: OutputOptions): void {
  const { code, message, errors, errorsTotal } = refusal;
  if (json) return notice(JSON.stringify({ code, detail: message, errors, errors_total: errorsTotal }));
  notice(`${code}: ${message}`);
  if (errors.length === 0) return;
  const table = new Table({ head: ['line', 'column', 'value', 'reason'], ...tableStyle });
  for (const { line, column, value, reason } of errors) {
    table.push([line, column ?? '', printable(value ?? ''), reason]);
  }
  notice(table.toString());
  if (errorsTotal > errors.length) notice(`and ${errorsTotal - errors.length} more`);
}

/** Removes terminal control characters from a value of a file. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
