import type { FlatRow, Listing } from '#lib/core/operation.ts';
import { isUid } from '#lib/core/id.ts';
import type { Page } from '#lib/core/schema.ts';
import { Problem } from '#lib/core/problem.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import {
  findSeries,
  findSubject,
  type Series,
  type SeriesQuestion,
  type Subject,
} from '#lib/data/instrument-series.repository.ts';
import { placeOf, seriesRows, type ObservedRow, type Reading } from '#lib/data/series-rows.repository.ts';
import type { Em } from '#lib/database/base.ts';
import { keysetListing } from '../../http/keyset.ts';
import type { Services } from '../../services.ts';
import { checkedAsOf } from '../../as-of.ts';

type SeriesCall = {
  services: Services;
  params: { uid: string };
  query: { from?: string; to?: string; as_of?: string; dataset?: string; limit?: number; cursor?: string };
};

export type SeriesList<Row extends ObservedRow, Item, Beside> = Pick<SeriesQuestion, 'kind' | 'frequency'> & {
  /** Last segment of the path. */
  name: string;
  reading: Reading;
  /** A value of the key that is asked for. */
  only?: string | undefined;
  filters: Record<string, unknown>;
  /** What else the items are made from. `version` is another one whenever it is. */
  beside(em: Em, subject: Subject, series: Series): Promise<{ version: unknown; value: Beside }>;
  keyOf(row: Row): string | undefined;
  present(row: Row, beside: Beside): Item;
};

/** All of it looks an instrument, a series or a stretch of one up in an index. */
const PLANNING = { plansOnce: true };

/** Observations of an instrument, oldest first. Refuses with 404 for one that the caller may not read. */
export async function seriesListing<Row extends ObservedRow, Item extends FlatRow, Beside>(
  { services, params, query }: SeriesCall,
  wanted: SeriesList<Row, Item, Beside>,
): Promise<Listing<{ data: Item[]; page: Page }>> {
  const { kind, frequency, reading, only } = wanted;
  const { from, to, dataset } = query;
  const asOf = checkedAsOf(query.as_of, services.clock);
  const found = await services.transaction(async (em) => {
    const subject = isUid(params.uid) ? await findSubject(em, params.uid, asOf) : undefined;
    if (!subject) throw new Problem('not_found', 'There is no such instrument.');
    const series = await findSeries(em, subject, { kind, asOf, frequency, dataset });
    return series && { series, beside: await wanted.beside(em, subject, series) };
  }, PLANNING);
  return keysetListing(services, query, {
    list: `/data/instruments/${params.uid}/${wanted.name}`,
    filters: {
      from: from ?? null,
      to: to ?? null,
      as_of: asOf ?? null,
      dataset: dataset ?? null,
      ...wanted.filters,
    },
    version: canonicalHash(found ? [found.series, found.beside.version] : null),
    ...PLANNING,
    rows: async (em, page) =>
      found ? seriesRows<Row>(em, found.series, reading, { from, to, asOf, only, ...page }) : [],
    keyOf: (row) => placeOf(row, wanted.keyOf(row)),
    present: (row) => wanted.present(row, found!.beside.value),
  });
}

/** Of lists whose items are the rows alone. */
export async function nothing(): Promise<{ version: null; value: null }> {
  return { version: null, value: null };
}
