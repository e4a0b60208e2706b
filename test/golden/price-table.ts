import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { findDataFile } from './market-files.ts';
import { GoldenFileError } from './report.ts';

/** Prices by symbol, oldest first, NaN if missing. */
export type PriceTable = Map<string, number[]>;

/** Reads a table with a column of dates and one of prices for each symbol. */
export function readWidePrices(name: string, goldenPath: string): PriceTable {
  const rows = readRows(name, goldenPath);
  const [dates, ...symbols] = Object.keys(rows[0] ?? {});
  if (dates === undefined) throw new GoldenFileError(`${name} is empty`);
  return new Map(symbols.map((symbol) => [symbol, rows.map((row) => numberOf(row[symbol]!))]));
}

/** Reads the adjusted closes of symbols from a table with a row for each symbol and date, within dates inclusive. */
export function readLongPrices(
  name: string,
  goldenPath: string,
  { symbols, from, to }: { symbols: readonly string[]; from: string; to: string },
): PriceTable {
  const table: PriceTable = new Map(symbols.map((symbol) => [symbol, []]));
  for (const { symbol, date, adj_close } of readRows(name, goldenPath))
    if (date! >= from && date! <= to) table.get(symbol!)?.push(numberOf(adj_close!));
  return table;
}

/** Returns simple returns; NaN without both prices. */
export function simpleReturns(prices: ArrayLike<number>): Float64Array {
  return Float64Array.from(
    { length: Math.max(0, prices.length - 1) },
    (_, t) => prices[t + 1]! / prices[t]! - 1,
  );
}

const numberOf = (text: string): number => (text === '' ? Number.NaN : Number(text));

function readRows(name: string, goldenPath: string): Record<string, string>[] {
  const path = pathOf(name, goldenPath);
  const bytes = readFileSync(path);
  const text = path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return parse(text, { columns: true, bom: true, skip_empty_lines: true });
}

/** The file that the golden file names, or the part of it that is kept in this folder. */
function pathOf(name: string, goldenPath: string): string {
  const kept = join(import.meta.dirname, name.endsWith('.gz') ? name : `${name}.gz`);
  try {
    return findDataFile(name, goldenPath);
  } catch (error) {
    if (error instanceof GoldenFileError && existsSync(kept)) return kept;
    throw error;
  }
}
