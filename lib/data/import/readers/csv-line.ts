/**
 * Splits one line of CSV (RFC 4180: commas, fields in double quotes, a quote inside written twice). Returns `undefined`
 * if the quotes are not balanced. Quotes are not balanced if a quote does not open or close a whole field, or if a
 * field in quotes does not end on its line. A line break inside quotes also counts as unbalanced, so that a missing
 * quote affects one line and not the rest of the file.
 *
 * Example: `splitCsvLine('BLL,"Metal, Glass","6"" pipe"')` is `['BLL', 'Metal, Glass', '6" pipe']`.
 */
export function splitCsvLine(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  let position = 0;
  for (;;) {
    if (line.charCodeAt(position) !== QUOTE) {
      const comma = line.indexOf(',', position);
      const field = line.slice(position, comma < 0 ? line.length : comma);
      if (field.includes('"')) return undefined;
      fields.push(field);
      if (comma < 0) return fields;
      position = comma + 1;
      continue;
    }
    const end = closingQuote(line, position + 1);
    if (end < 0) return undefined;
    fields.push(line.slice(position + 1, end).replaceAll('""', '"'));
    if (end + 1 === line.length) return fields;
    if (line.charCodeAt(end + 1) !== COMMA) return undefined;
    position = end + 2;
  }
}

/**
 * Joins fields to a line of CSV, with quotes where needed. For fields without line breaks, this is the inverse of
 * `splitCsvLine`.
 */
export function joinCsvLine(fields: readonly string[]): string {
  if (fields.length === 1 && fields[0] === '') return '""';
  return fields.map((field) => (SPECIAL.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');
}

const SPECIAL = /[",\r\n]/;
const QUOTE = 34;
const COMMA = 44;

/** Returns the end of the quoted field that begins at `from`, or -1. A doubled quote does not end the field. */
function closingQuote(line: string, from: number): number {
  let quote = line.indexOf('"', from);
  while (quote >= 0 && line.charCodeAt(quote + 1) === QUOTE) quote = line.indexOf('"', quote + 2);
  return quote;
}
