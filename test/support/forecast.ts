import { importFile } from '#lib/data/import/load/import-file.ts';
import { sampleImports } from '#lib/data/sample.ts';
import { inPlatform } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { importCsv } from './import.ts';

export const FORECASTS = '/planning/forecasts';

/** Imports the real economic series of the sample, whose origin is stated in `lib/sample/SOURCES.md`. */
export async function importEconomics(backend: Backend, workspace: string): Promise<void> {
  const sample = sampleImports.find(({ kind }) => kind === 'economics')!;
  await inPlatform(backend.orm('operator'), (em) => importFile(em, { ...sample, workspace }));
}

/**
 * Returns CSV lines with values of a metric of a company, one per month from January 2020 on. Null values have no line.
 */
export function monthlyMetric(company: number, metric: string, values: readonly (number | null)[]): string[] {
  return values.flatMap((value, at) => {
    const month = `${2020 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    return value === null ? [] : [`${company},${metric},${month},${value},EUR`];
  });
}

/**
 * Creates a series that the workspace can read, and a forecast of the series. Returns the uid of the
 * forecast.
 */
export async function createForecast(backend: Backend, tenancy: Tenancy): Promise<string> {
  await importCsv(backend, tenancy.workspace, 'economics', ['series,date,value', 'GDPC1,2020-01-01,1']);
  const request = { metric: 'economics.GDPC1', horizon: 4 };
  const answer = await clientOf(backend, tenancy.key).post(FORECASTS, request, { prefer: 'respond-async' });
  return answer.headers.get('location')!.split('/').at(-1)!;
}

export const BATCHES = '/planning/forecasts/batches';

/** Creates a batch of a tenancy with five items, all of them invalid; returns its uid. */
export async function createForecastBatch(backend: Backend, tenancy: Tenancy): Promise<string> {
  const items = [1, 2, 3, 4, 5].map((company_id) => ({
    metric: 'nothing_of_the_kind',
    company_id,
    horizon: 4,
  }));
  return (await clientOf(backend, tenancy.key).post(BATCHES, { items })).body.uid;
}
