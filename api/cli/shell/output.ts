import Table from 'cli-table3';

export type OutputOptions = { json?: boolean };

/** The style of every table: a frame, and no lines between rows. */
export const tableStyle = {
  style: { head: [], border: [] },
  chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
};

/** Prints one document: JSON for programs, or a table for people. */
export function print(document: Record<string, unknown>, { json }: OutputOptions): void {
  if (json) return write(JSON.stringify(document));
  const table = new Table(tableStyle);
  for (const [name, value] of Object.entries(document)) table.push({ [name]: cell(value) });
  write(table.toString());
}

/** Prints a row for each record: a JSON document `{data: [...]}`, or a table with a line for each row. */
export function printRows<Found>(
  found: readonly Found[],
  { json }: OutputOptions,
  present: (found: Found) => Record<string, unknown> = (row) => row as Record<string, unknown>,
): void {
  const rows = found.map((each) => present(each));
  if (json) return write(JSON.stringify({ data: rows }));
  if (rows.length === 0) return write('none');
  const table = new Table({ head: Object.keys(rows[0]!), ...tableStyle });
  for (const row of rows) table.push(Object.values(row).map(cell));
  write(table.toString());
}

/** Prints a progress note for people on stderr. The document on stdout is not affected. */
export function notice(line: string): void {
  process.stderr.write(`${line}\n`);
}

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
