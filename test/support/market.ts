import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { ImportReport } from '#lib/data/import/load/import-request.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { importCsv } from './import.ts';

const files = {
  constituents: 'instruments',
  constituents_history: 'instruments',
  prices_daily: 'prices',
  corporate_actions: 'corporate_actions',
  fundamentals: 'fundamentals',
} as const satisfies Record<string, DatasetKind>;

export type MarketFile = keyof typeof files;

/** Returns the lines of an extract of real market data; its origin is in `market/SOURCES.md`. */
export function marketLines(name: MarketFile): string[] {
  const file = fileURLToPath(new URL(`market/${name}.csv`, import.meta.url));
  return readFileSync(file, 'utf8').trim().split('\n');
}

/** Imports an extract. A split whose day is unknown is left out. */
export function importMarket(backend: Backend, workspace: string, name: MarketFile): Promise<ImportReport> {
  const lines = marketLines(name).filter((line) => !line.includes(',,split,'));
  return importCsv(backend, workspace, files[name], lines);
}

/** Returns the uid of the instrument with a symbol. */
export async function instrumentOf(
  backend: Backend,
  tenancy: Pick<Tenancy, 'key'>,
  symbol: string,
): Promise<string> {
  const { body } = await clientOf(backend, tenancy.key).get(`/data/instruments?symbol=${symbol}`);
  return body.data[0].uid;
}

let count = 0;

/** Creates an instrument with five prices, dividends and reported values. */
export async function createInstrument(
  backend: Backend,
  { workspace, key }: Pick<Tenancy, 'workspace' | 'key'>,
): Promise<string> {
  count += 1;
  const symbol = `T${count}`;
  const days = [1, 2, 3, 4, 5].map((day) => `2020-06-0${day}`);
  const rows = (row: (day: string, at: number) => string) => days.map(row);
  await importCsv(backend, workspace, 'instruments', [
    'symbol,name,sector,first_price_date',
    `${symbol},Test ${count},Energy,2020-06-01`,
  ]);
  await importCsv(backend, workspace, 'prices', [
    'symbol,date,close',
    ...rows((day, at) => `${symbol},${day},${100 + at}`),
  ]);
  await importCsv(backend, workspace, 'corporate_actions', [
    'symbol,ex_date,type,amount',
    ...rows((day) => `${symbol},${day},cash_dividend,0.5`),
  ]);
  await importCsv(backend, workspace, 'fundamentals', [
    'symbol,as_of,ebitda',
    ...rows((day, at) => `${symbol},${day},${at}`),
  ]);
  return instrumentOf(backend, { key }, symbol);
}

/** Creates an instrument as `createInstrument` does, and returns its symbol. */
export async function createCompany(
  backend: Backend,
  tenancy: Pick<Tenancy, 'workspace' | 'key'>,
): Promise<string> {
  const uid = await createInstrument(backend, tenancy);
  return (await clientOf(backend, tenancy.key).get(`/data/instruments/${uid}`)).body.symbol;
}

/** Creates a dataset with one price. */
export async function createDataset(
  backend: Backend,
  { workspace }: Pick<Tenancy, 'workspace'>,
): Promise<string> {
  count += 1;
  const lines = ['symbol,date,close', `D${count},2020-06-01,1`];
  return (await importCsv(backend, workspace, 'prices', lines, { dataset: `set${count}` })).dataset.uid;
}
