import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { PriceSeries } from '#lib/investment/theme-factors/month-end-prices.ts';
import { type ThemeExposure, exposureMicro } from '#lib/data/taxonomy.ts';
import { GoldenFileError } from './report.ts';

export type TaxonomyVersion = {
  version: string;
  publishedAt: string;
  status: string;
  exposures: ThemeExposure[];
};

type Row = Record<string, string>;

const sampleDirectory = resolve(import.meta.dirname, '../../lib/sample');

/**
 * Returns the path of a data file named in a golden file. The name is resolved against the golden file's
 * directory and each directory above it, then against the current directory. Then its last part is looked up
 * in the shipped sample. In each directory the name is tried unchanged, and with `.gz` added or removed.
 * Throws a `GoldenFileError` if the file is not found.
 */
export function findDataFile(name: string, goldenPath: string): string {
  const places = [...upwards(dirname(resolve(goldenPath))), process.cwd()].map((place) =>
    resolve(place, name),
  );
  const found = [...places, join(sampleDirectory, basename(name))].flatMap(spellings).find(existsSync);
  if (found !== undefined) return found;
  throw new GoldenFileError(
    `${name} is neither beside ${goldenPath} or in a directory above it, nor in ${process.cwd()}, ` +
      `nor in ${sampleDirectory}`,
  );
}

/**
 * Reads prices from a file with the columns symbol, date and adj_close; each price stays the decimal text of
 * the file.
 */
export function readPrices(path: string): PriceSeries[] {
  const series = new Map<string, { symbol: string; observations: { date: string; price: string }[] }>();
  for (const row of readRows(path, ['symbol', 'date', 'adj_close'])) {
    if (row['adj_close'] === '') continue;
    const symbol = row['symbol']!;
    const known = series.get(symbol) ?? { symbol, observations: [] };
    known.observations.push({ date: row['date']!, price: row['adj_close']! });
    series.set(symbol, known);
  }
  return [...series.values()];
}

/**
 * Reads taxonomy versions from a file with the columns version, published_at, theme, symbol and exposure. A file
 * `taxonomy_versions.csv` in the same folder states which versions are drafts; versions that it does not list count as
 * published.
 */
export function readTaxonomy(path: string): TaxonomyVersion[] {
  const statuses = readStatuses(dirname(path));
  const versions = new Map<string, TaxonomyVersion>();
  for (const row of readRows(path, ['version', 'published_at', 'theme', 'symbol', 'exposure'])) {
    const version = row['version']!;
    const publishedAt = row['published_at']!;
    const status = statuses.get(version) ?? 'published';
    const known = versions.get(version) ?? { version, publishedAt, status, exposures: [] };
    if (publishedAt !== known.publishedAt) {
      throw new GoldenFileError(`${path}: version ${version} has two times of publication`);
    }
    known.exposures.push({ theme: row['theme']!, symbol: row['symbol']!, micro: micro(row['exposure']!) });
    versions.set(version, known);
  }
  return [...versions.values()];
}

function readStatuses(directory: string): Map<string, string> {
  const path = spellings(join(directory, 'taxonomy_versions.csv')).find(existsSync);
  const rows = path === undefined ? [] : readRows(path, ['version', 'status']);
  return new Map(rows.map((row) => [row['version']!, row['status']!]));
}

/** Returns an exposure in millionths, from its decimal text or from a JSON number. */
export function micro(exposure: unknown): number {
  try {
    return exposureMicro(typeof exposure === 'number' ? decimalText(exposure) : String(exposure));
  } catch (error) {
    throw new GoldenFileError((error as Error).message);
  }
}

/** Returns the shortest decimal text of a number without an exponent. */
function decimalText(number: number): string {
  const text = String(number);
  return text.includes('e-') ? number.toFixed(20) : text;
}

function readRows(path: string, columns: string[]): Row[] {
  const bytes = readFileSync(path);
  let rows: Row[];
  try {
    const text = path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
    rows = parse(text, { columns: true, bom: true, skip_empty_lines: true });
  } catch (error) {
    throw new GoldenFileError(`${path} cannot be read: ${(error as Error).message}`);
  }
  const missing = columns.filter((column) => rows[0] !== undefined && !Object.hasOwn(rows[0], column));
  if (missing.length > 0) throw new GoldenFileError(`${path} has no column ${missing.join(', ')}`);
  return rows;
}

function spellings(path: string): string[] {
  return path.endsWith('.gz') ? [path, path.slice(0, -3)] : [path, `${path}.gz`];
}

function upwards(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...upwards(above)];
}
