import type { FlatRow, Listing } from '#lib/core/operation.ts';
import type { Page } from '#lib/core/schema.ts';
import { Problem } from '#lib/core/problem.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { placeOf, seriesRows, type ObservedRow, type Reading } from '#lib/data/series-rows.query.ts';
import { servedSeries, type ServedQuestion, type ServedSeries } from '#lib/data/served-series.query.ts';
import { keysetListing, readKeysetPage, type KeysetList } from '../../http/keyset.ts';
import { listForms } from '../../http/listing.ts';
import type { Services } from '../../services.ts';
import { checkedAsOf } from '../../as-of.ts';

type SeriesCall = {
  services: Services;
  params: { uid: string };
  query: { from?: string; to?: string; as_of?: string; dataset?: string; limit?: number; cursor?: string };
  /** The validators of the answers that the caller already has. */
  held: readonly string[];
  accepts(types: readonly string[]): string | undefined;
};

export type SeriesList<Row extends ObservedRow, Item> = Pick<
  ServedQuestion,
  'kind' | 'frequency' | 'adjustUntil'
> & {
  /** The last segment of the URL path. */
  name: string;
  reading: Reading;
  /** Restricts the list to observations whose key has this value. */
  only?: string | undefined;
  filters: Record<string, unknown>;
  keyOf(row: Row): string | undefined;
  present(row: Row, steps: ServedSeries['steps']): Item;
};

/**
 * Lists the observations of an instrument, oldest first. Answers 404 for an instrument that the caller may
 * not read. A page is read in the transaction that finds the series, unless the caller has an earlier answer: if that
 * answer is still valid, no rows are needed.
 */
export async function seriesListing<Row extends ObservedRow, Item extends FlatRow>(
  call: SeriesCall,
  wanted: SeriesList<Row, Item>,
): Promise<Listing<{ data: Item[]; page: Page }>> {
  const { services, params, query, held } = call;
  const { kind, frequency, adjustUntil } = wanted;
  const asOf = checkedAsOf(query.as_of, services.clock);
  const requested = { uid: params.uid, kind, asOf, frequency, dataset: query.dataset, adjustUntil };
  const isPage = call.accepts(Object.values(listForms)) === listForms.json;
  const found = await services.lookUp(async (em) => {
    const served = await servedSeries(em, requested);
    if (!served) return undefined;
    const keyset = keysetOf(call, wanted, { ...served, asOf });
    const needsRows = isPage && held.length === 0;
    return { keyset, page: needsRows ? await readKeysetPage(em, services, query, keyset) : undefined };
  });
  if (!found) throw new Problem('not_found', 'There is no such instrument.');
  return keysetListing(services, query, found.keyset, found.page);
}

function keysetOf<Row extends ObservedRow, Item extends FlatRow>(
  { params, query: { from, to, dataset } }: SeriesCall,
  wanted: SeriesList<Row, Item>,
  { series, steps, asOf }: ServedSeries & { asOf: string | undefined },
): KeysetList<Row, Item> {
  const { reading, only } = wanted;
  return {
    list: `/data/instruments/${params.uid}/${wanted.name}`,
    filters: {
      from: from ?? null,
      to: to ?? null,
      as_of: asOf ?? null,
      dataset: dataset ?? null,
      ...wanted.filters,
    },
    version: canonicalHash(series ? [series, steps] : null),
    plansOnce: true,
    rows: async (em, page) =>
      series ? seriesRows<Row>(em, series, reading, { from, to, asOf, only, ...page }) : [],
    keyOf: (row) => placeOf(row, wanted.keyOf(row)),
    present: (row) => wanted.present(row, steps),
  };
}
