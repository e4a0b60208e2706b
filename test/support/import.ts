import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import { importFile } from '#lib/data/import/load/import-file.ts';
import type { ImportReport, ImportRequest } from '#lib/data/import/load/import-request.ts';
import { sampleImports } from '#lib/data/sample.ts';
import { inPlatform } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';

/** Imports the shipped sample into a workspace. */
export async function importSample(backend: Backend, workspace: string): Promise<void> {
  for (const sample of sampleImports) await load(backend, { ...sample, workspace });
}

/** Imports the economic series of the shipped sample into a workspace. */
export async function importSampleEconomics(backend: Backend, workspace: string): Promise<void> {
  const sample = sampleImports.find(({ kind }) => kind === 'economics')!;
  await load(backend, { ...sample, workspace });
}

/**
 * Imports lines of CSV, the first of which is the header; for economic data, also imports the lines that
 * describe the series.
 */
export async function importCsv(
  backend: Backend,
  workspace: string,
  kind: DatasetKind,
  lines: readonly string[],
  more: { dataset?: string; series?: readonly string[] } = {},
): Promise<ImportReport> {
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-import-'));
  try {
    const file = path.join(folder, `${kind}.csv`);
    await writeFile(file, `${lines.join('\n')}\n`);
    const { dataset, series } = more;
    const seriesPath = series && path.join(folder, 'series.csv');
    if (seriesPath) await writeFile(seriesPath, `${series.join('\n')}\n`);
    return await load(backend, { kind, path: file, workspace, dataset, seriesPath });
  } finally {
    await rm(folder, { recursive: true });
  }
}

type SmallMarket = {
  prices: Record<string, [string, string][]>;
  taxonomy: {
    version: string;
    published_at: string;
    rows: { theme: string; symbol: string; exposure: number }[];
  }[];
};

/** Imports the prices and taxonomies of a self-contained golden file. */
export async function importSmall(backend: Backend, workspace: string, small: SmallMarket): Promise<void> {
  await importCsv(backend, workspace, 'prices', [
    'symbol,date,close,adj_close',
    ...Object.entries(small.prices).flatMap(([symbol, prices]) =>
      prices.map(([date, price]) => `${symbol},${date},${price},${price}`),
    ),
  ]);
  await importCsv(backend, workspace, 'taxonomy', [
    'version,published_at,theme,symbol,exposure',
    ...small.taxonomy.flatMap(({ version, published_at, rows }) =>
      rows.map(({ theme, symbol, exposure }) =>
        [version, published_at, theme, symbol, exposure.toFixed(6)].join(','),
      ),
    ),
  ]);
}

/**
 * Imports a market just large enough for the default request: 12 symbols of one theme, 4 symbols without a
 * theme, and 40 months.
 */
export async function importTiny(backend: Backend, workspace: string): Promise<void> {
  const symbols = Array.from({ length: 16 }, (_, at) => `S${String(at).padStart(2, '0')}`);
  const months = Array.from({ length: 40 }, (_, at) => {
    const last = new Date(Date.UTC(2015, 9 + at, 0));
    return last.toISOString().slice(0, 10);
  });
  await importCsv(backend, workspace, 'prices', [
    'symbol,date,close,adj_close',
    ...symbols.flatMap((symbol, row) =>
      months.map((date, month) => {
        const price = (100 + month + ((row * 7 + month * 13) % 11)).toFixed(2);
        return `${symbol},${date},${price},${price}`;
      }),
    ),
  ]);
  await importCsv(backend, workspace, 'taxonomy', [
    'version,published_at,theme,symbol,exposure',
    ...symbols.slice(0, 12).map((symbol, row) => `t1,2015-01-01T00:00:00Z,theme_one,${symbol},0.${row + 10}`),
  ]);
}

function load(backend: Backend, request: ImportRequest): Promise<ImportReport> {
  return inPlatform(backend.orm('operator'), (em) => importFile(em, request));
}
