import type { Operation } from '#lib/core/operation.ts';
import { addDays } from '#lib/core/date.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { importCsv } from './import.ts';

let made = 0;

/** Creates a series of one observation and returns its key. Each new key sorts after the previous key. */
export async function createSeries(backend: Backend, { workspace }: Tenancy): Promise<string> {
  made += 1;
  const key = `SERIES_${String(made).padStart(6, '0')}`;
  await importCsv(backend, workspace, 'economics', ['series,date,value', `${key},2020-01-01,1`]);
  return key;
}

/** Creates a series of five observations and returns its key. */
async function createObservedSeries(backend: Backend, { workspace }: Tenancy): Promise<string> {
  const key = `OBSERVED_${(made += 1)}`;
  const days = [1, 2, 3, 4, 5].map((day) => `${key},${addDays('1990-01-01', day)},-${day}.50`);
  await importCsv(backend, workspace, 'economics', ['series,date,value', ...days]);
  return key;
}

/**
 * Creates a resource below the path of series: a series or, for a list of observations, a series with five
 * observations.
 */
export function createEconomics(backend: Backend, tenancy: Tenancy, { path }: Operation): Promise<string> {
  return path.endsWith('/observations')
    ? createObservedSeries(backend, tenancy)
    : createSeries(backend, tenancy);
}
