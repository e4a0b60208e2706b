import { CellRefused } from './refused.ts';

/** The largest row in bytes. */
const ROW_BYTES_MAX = 1 << 26;

/**
 * Changes the rows of COPY's text format, in which a line is a row and tabs separate the fields. `change` gets the
 * fields of a row by column, as they are escaped, and may replace them. Holds one row and one chunk in memory.
 * Refuses a row of more than 64 MiB, and a row with another number of fields.
 */
export async function* changeRows(
  source: AsyncIterable<Buffer>,
  columns: readonly string[],
  change: (fields: Map<string, string>) => void,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf('\n') + 1;
    rest = bytes.subarray(end);
    if (rest.length > ROW_BYTES_MAX)
      throw new CellRefused('export_damaged', `a row is larger than ${ROW_BYTES_MAX} bytes`);
    if (end > 0) yield Buffer.from(changeLines(bytes.toString('utf8', 0, end), columns, change));
  }
  if (rest.length > 0) throw new Error('the last row is incomplete');
}

function changeLines(
  text: string,
  columns: readonly string[],
  change: (fields: Map<string, string>) => void,
): string {
  let changed = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const values = line.split('\t');
    if (values.length !== columns.length)
      throw new CellRefused('export_damaged', `a row has ${values.length} fields, not ${columns.length}`);
    const fields = new Map(values.map((field, at) => [columns[at]!, field]));
    change(fields);
    changed += `${[...fields.values()].join('\t')}\n`;
  }
  return changed;
}
