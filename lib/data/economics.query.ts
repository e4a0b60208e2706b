import type { Em } from '#lib/database/base.ts';
import {
  coverageOf,
  findEconomicSeries,
  listEconomicSeries,
  type EconomicSeries,
  type SeriesCoverage,
} from './economic-series.query.ts';
import { readableDatasets, stateOf } from './readable-dataset.query.ts';

/** Another text whenever the economic series of the tenant may be others. */
export async function economicState(em: Em): Promise<string> {
  return stateOf(await readableDatasets(em, 'economics'));
}

/** As `listEconomicSeries`. Throws where the state of the series is another one than the caller has seen. */
export async function seriesInState(
  em: Em,
  question: Parameters<typeof listEconomicSeries>[1],
  seen: string | undefined,
): Promise<EconomicSeries[]> {
  if (seen !== undefined && (await economicState(em)) !== seen) {
    throw new Error('the series have changed while they were read');
  }
  return listEconomicSeries(em, question);
}

/** A series with the days it covers, as it was known by the end of a day; undefined where nothing was known. */
export async function coveredSeries(
  em: Em,
  key: string,
  asOf: string | undefined,
): Promise<{ series: EconomicSeries; coverage: SeriesCoverage } | undefined> {
  const series = await findEconomicSeries(em, key, asOf);
  return series && { series, coverage: await coverageOf(em, series, asOf) };
}

/** A series as it was known by the end of a day: null where it is known today and was not then, undefined where never. */
export async function seriesKnownBy(
  em: Em,
  key: string,
  asOf: string | undefined,
): Promise<EconomicSeries | null | undefined> {
  const then = await findEconomicSeries(em, key, asOf);
  if (then) return then;
  return (await findEconomicSeries(em, key, undefined)) ? null : undefined;
}
