import type { Em } from '#lib/database/base.ts';
import {
  coverageOf,
  findEconomicSeries,
  listEconomicSeries,
  type EconomicSeries,
  type SeriesCoverage,
} from './economic-series.query.ts';
import { readableDatasets, stateOf } from './readable-dataset.query.ts';

/** Returns a text that changes whenever the economic series of the tenant may have changed. */
export async function economicState(em: Em): Promise<string> {
  return stateOf(await readableDatasets(em, 'economics'));
}

/** Lists series as `listEconomicSeries` does. Throws if the state of the series differs from `seen`. */
export async function seriesInState(
  em: Em,
  question: Parameters<typeof listEconomicSeries>[1],
  seen: string | undefined,
): Promise<EconomicSeries[]> {
  if (seen !== undefined && (await economicState(em)) !== seen) {
    throw new Error('the series changed while they were read');
  }
  return listEconomicSeries(em, question);
}

/** Returns a series with the days it covers, as known by the end of a day; undefined if nothing was known. */
export async function coveredSeries(
  em: Em,
  key: string,
  asOf: string | undefined,
): Promise<{ series: EconomicSeries; coverage: SeriesCoverage } | undefined> {
  const series = await findEconomicSeries(em, key, asOf);
  return series && { series, coverage: await coverageOf(em, series, asOf) };
}

/**
 * Returns a series as known by the end of a day. Returns null if the series became known only after that day, and
 * undefined if the series is unknown.
 */
export async function seriesKnownBy(
  em: Em,
  key: string,
  asOf: string | undefined,
): Promise<EconomicSeries | null | undefined> {
  const then = await findEconomicSeries(em, key, asOf);
  if (then) return then;
  return (await findEconomicSeries(em, key, undefined)) ? null : undefined;
}
