import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { knownRows, wasKnown } from './as-of.query.ts';
import type { EconomicSeries } from './economic-series.query.ts';
import { assertReadable } from './instrument-series.query.ts';

/** The vintages of an observation to return: the last known vintage, the first release, or all vintages. */
export const vintages = ['latest', 'first', 'all'] as const;
export type Vintage = (typeof vintages)[number];

export type EconomicObservation = {
  observedOn: string;
  /** The decimal as imported; null if the vintage withdraws the observation. */
  value: string | null;
  knownAt: string;
  knownAtBasis: 'stated' | 'assumed' | 'imported';
  revision: number;
  /** Whether a later vintage of the observation was known by the as-of day. */
  superseded: boolean;
};

/** The position of the last observation of a page. The next page begins after it. */
export type ObservationPlace = Pick<EconomicObservation, 'observedOn' | 'knownAt' | 'revision'>;

export type ObservationQuestion = {
  from?: string | undefined;
  to?: string | undefined;
  /** The as-of day. Only values known by its end are used; undefined: no limit. */
  asOf?: string | undefined;
  vintage: Vintage;
  after: ObservationPlace | undefined;
  limit: number;
};

/**
 * Lists the observations of a series as they were known by the end of a day, ordered by the day observed and
 * the moment known. Throws if the dataset can no longer be read.
 */
export async function economicObservations(
  em: Em,
  series: EconomicSeries,
  { vintage, after, limit, ...range }: ObservationQuestion,
): Promise<EconomicObservation[]> {
  const { rows } = await sql<EconomicObservation>`
    select observed_on::text as "observedOn", value::text as value,
      to_char(known_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "knownAt",
      known_at_basis as "knownAtBasis", revision, superseded
    from ${rowsOf[vintage](series, { ...range, from: later(range.from, after?.observedOn) })} o
    where ${after === undefined ? sql`true` : isAfter(after)}
    order by observed_on, known_at, revision limit ${limit}
  `.execute(em.getKysely());
  if (rows.length < limit) await assertReadable(em, series.datasetId);
  return rows;
}

type Range = Pick<ObservationQuestion, 'from' | 'to' | 'asOf'>;

const rowsOf: Record<Vintage, (series: EconomicSeries, range: Range) => RawBuilder<unknown>> = {
  latest: (series, range) => sql`(
    select *, false as superseded from ${knownRows({ ...observationsOf(series, range), asOf: range.asOf })} known
  )`,
  first: (series, range) => sql`(
    select distinct on (observed_on) * from ${everyVintage(series, range)} vintage
    where not withdrawn order by observed_on, known_at, revision desc
  )`,
  all: everyVintage,
};

function everyVintage(series: EconomicSeries, range: Range): RawBuilder<unknown> {
  const { where } = observationsOf(series, range);
  return sql`(
    select o.*, lead(true, 1, false) over (partition by observed_on order by known_at, revision) as superseded
    from economic_observation o where (${where}) and ${wasKnown('o', range.asOf)}
  )`;
}

function observationsOf({ datasetId, key, datasetRevision }: EconomicSeries, { from, to }: Range) {
  return {
    table: 'economic_observation',
    key: ['observed_on'],
    columns: ['known_at_basis', 'revision', 'value'],
    where: sql`o.dataset_id = ${datasetId} and o.series = ${key} and o.revision <= ${datasetRevision}
      and o.observed_on >= ${from ?? '-infinity'}::date and o.observed_on <= ${to ?? 'infinity'}::date`,
  };
}

function isAfter({ observedOn, knownAt, revision }: ObservationPlace): RawBuilder<unknown> {
  return sql`(observed_on, known_at, revision) > (${observedOn}::date, ${knownAt}::timestamptz, ${revision}::integer)`;
}

function later(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}
