import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The rows of a CSV file of sample data, by the names of its columns. Fields may be quoted. */
export function rowsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split('\n');
  const names = cells(head);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, index) => [names[index]!, cell])));
}

function cells(line: string): string[] {
  const found: string[] = [];
  for (const [, quoted, plain = ''] of line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g))
    found.push(quoted ?? plain);
  return found;
}

const SAMPLE = new URL('../../../lib/sample/', import.meta.url);

export function sample(name: string): string {
  const bytes = readFileSync(new URL(name, SAMPLE));
  return name.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
}

export type Price = { date: string; close: string; adj_close: string; volume: string };

/** The last price of each month, by symbol and month. */
export function monthlyPrices(): Map<string, Map<string, Price>> {
  const symbols = new Map<string, Map<string, Price>>();
  for (const line of sample('prices_monthly.csv.gz').trim().split('\n').slice(1)) {
    const [symbol = '', date = '', close = '', adjusted = '', volume = ''] = line.split(',');
    const months = symbols.get(symbol) ?? new Map<string, Price>();
    symbols.set(symbol, months);
    months.set(date.slice(0, 7), { date, close, adj_close: adjusted, volume });
  }
  return symbols;
}
