import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { findDataFile } from './market-files.ts';
import { GoldenFileError } from './report.ts';

/** Prices by symbol, oldest first, NaN if missing. */
export type PriceTable = Map<string, number[]>;

/** Reads a table with one column of dates and one column of prices for each symbol. */
export function readWidePrices(name: string, goldenPath: string): PriceTable {
  const rows = readRows(name, goldenPath);
  const [dates, ...symbols] = Object.keys(rows[0] ?? {});
  if (dates === undefined) throw new GoldenFileError(`${name} is empty`);
  return new Map(symbols.map((symbol) => [symbol, rows.map((row) => numberOf(row[symbol]!))]));
}

/** Prices of symbols that all have the same dates. */
export type LongPrices = { dates: string[]; prices: PriceTable };

/** Reads the adjusted closes of symbols from a table with a row for each symbol and date, within dates inclusive. */
export function readLongPrices(
  name: string,
  goldenPath: string,
  { symbols, from, to }: { symbols: readonly string[]; from: string; to: string },
): LongPrices {
  const prices: PriceTable = new Map(symbols.map((symbol) => [symbol, []]));
  const dates = new Set<string>();
  for (const { symbol, date, adj_close } of readRows(name, goldenPath))
    if (date! >= from && date! <= to && prices.has(symbol!)) {
      prices.get(symbol!)!.push(numberOf(adj_close!));
      dates.add(date!);
    }
  return { dates: [...dates].sort(), prices };
}

/** Returns simple returns; NaN if the price of the day or of the day before is missing. */
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

/**
 * Returns the path of the file that the golden file names, or else of the excerpt of that file in the
 * project's folder of golden files.
 */
function pathOf(name: string, goldenPath: string): string {
  const kept = join(import.meta.dirname, name.endsWith('.gz') ? name : `${name}.gz`);
  try {
    return findDataFile(name, goldenPath);
  } catch (error) {
    if (error instanceof GoldenFileError && existsSync(kept)) return kept;
    throw error;
  }
}
