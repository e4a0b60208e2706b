import { splitCsvLine } from '#lib/data/import/readers/csv-line.ts';
import { instrumentSchemes } from './instrument.ts';

const plain = [
  'side',
  'quantity',
  'order_type',
  'currency',
  'account_reference',
  'time_in_force',
  'settlement_date',
];
const optional = ['limit_price', 'reference_price'];
const columns = new Set<string>([...instrumentSchemes, ...plain, ...optional]);

export type OrderRows = { ok: true; orders: Record<string, unknown>[] } | { ok: false; fault: string };

/**
 * Reads the orders of a CSV file without checking their values. The header names the order fields, in any sequence.
 * Each identifier of the instrument is a column. An empty field is left out.
 */
export function orderRows(text: string): OrderRows {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const header = splitCsvLine(lines[0] ?? '') ?? [];
  const unknown = header.filter((name) => !columns.has(name));
  if (unknown.length || new Set(header).size < header.length) {
    return { ok: false, fault: `line 1 has unknown or repeated columns: ${unknown.join(', ')}` };
  }
  const orders: Record<string, unknown>[] = [];
  for (const [at, line] of lines.entries()) {
    if (at === 0 || line === '') continue;
    const fields = splitCsvLine(line);
    if (fields?.length !== header.length)
      return { ok: false, fault: `line ${at + 1} does not have the same number of fields as the header` };
    const row = new Map(header.map((name, index) => [name, fields[index]!]));
    const filled = (names: readonly string[]) => names.filter((name) => (row.get(name) ?? '') !== '');
    const instrument = Object.fromEntries(filled(instrumentSchemes).map((name) => [name, row.get(name)]));
    const rest = Object.fromEntries(filled([...plain, ...optional]).map((name) => [name, row.get(name)]));
    orders.push({ instrument, ...rest });
  }
  return { ok: true, orders };
}
