import type { Operation } from '#lib/core/operation.ts';
import { addDays } from '#lib/core/date.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { importCsv } from './import.ts';

let made = 0;

/** A new series of one observation; answers its key. Keys ascend. */
export async function createSeries(backend: Backend, { workspace }: Tenancy): Promise<string> {
  made += 1;
  const key = `SERIES_${String(made).padStart(6, '0')}`;
  await importCsv(backend, workspace, 'economics', ['series,date,value', `${key},2020-01-01,1`]);
  return key;
}

/** A new observation of the series OBSERVED; answers its day. Days ascend. */
export async function createEconomicObservation(backend: Backend, { workspace }: Tenancy): Promise<string> {
  made += 1;
  const day = addDays('1990-01-01', made);
  await importCsv(backend, workspace, 'economics', ['series,date,value', `OBSERVED,${day},-${made}.50`]);
  return day;
}

/** What stands below the path of series: series, or the observations of one. */
export function createEconomics(backend: Backend, tenancy: Tenancy, { path }: Operation): Promise<string> {
  return path.endsWith('/observations')
    ? createEconomicObservation(backend, tenancy)
    : createSeries(backend, tenancy);
}
