import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/orm.ts';
import { knownRows, wasKnown } from './as-of.repository.ts';
import { seriesFault } from './import/fields.ts';
import type { EconomicFrequency } from './economic-series.ts';

export type EconomicSeries = {
  key: string;
  title: string | null;
  frequency: EconomicFrequency | null;
  unit: string | null;
  seasonalAdjustment: string | null;
  source: string | null;
  licence: string | null;
  datasetId: number;
  datasetUid: string;
  datasetName: string;
  isPlatform: boolean;
};

export type SeriesFilter = {
  frequency?: EconomicFrequency | undefined;
  source?: string | undefined;
  /** Part of the key or title, in any case. */
  q?: string | undefined;
};

/**
 * The series that the caller may read, by key, as they are described today. Where several datasets have a key, the
 * workspace's own counts before the platform's.
 */
export async function listEconomicSeries(
  em: Em,
  { after, most, ...filter }: SeriesFilter & { after: string | undefined; most: number },
): Promise<EconomicSeries[]> {
  const conditions = [
    sql`true`,
    filter.frequency === undefined ? undefined : sql`frequency = ${filter.frequency}`,
    filter.source === undefined ? undefined : sql`lower(source) = lower(${filter.source})`,
    filter.q === undefined
      ? undefined
      : sql`(strpos(lower(key), lower(${filter.q})) > 0 or strpos(lower(title), lower(${filter.q})) > 0)`,
  ].filter((condition) => condition !== undefined);
  const { rows } = await sql<EconomicSeries>`
    select * from (${described(after === undefined ? sql`true` : sql`s.key > ${after} collate "C"`)}) series
    where ${sql.join(conditions, sql` and `)}
    order by key limit ${most}
  `.execute(em.getKysely());
  return rows;
}

export async function findEconomicSeries(em: Em, key: string): Promise<EconomicSeries | undefined> {
  if (seriesFault(key) !== undefined) return undefined;
  const { rows } = await sql<EconomicSeries>`${described(sql`s.key = ${key}`)}`.execute(em.getKysely());
  return rows[0];
}

function described(where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select distinct on (s.key) s.key, s.title, s.frequency, s.unit, s.seasonal_adjustment as "seasonalAdjustment",
      s.source, s.licence, d.id as "datasetId", d.uid as "datasetUid", d.name as "datasetName",
      d.workspace_uid is null as "isPlatform"
    from economic_series s
    join dataset d on d.id = s.dataset_id
    where ${where}
    order by s.key, d.workspace_uid is null, d.id, s.revision desc
  `;
}

export type SeriesCoverage = { first: string | null; last: string | null; observations: number };

/** Which days of a series have a value, as it is known today. */
export async function coverageOf(em: Em, series: EconomicSeries): Promise<SeriesCoverage> {
  const { rows } = await sql<SeriesCoverage>`
    select min(observed_on)::text as first, max(observed_on)::text as last, count(*)::integer as observations
    from ${knownRows({ ...observationsOf(series, {}), asOf: undefined })} known
  `.execute(em.getKysely());
  return rows[0]!;
}

/** Which vintages of an observation are asked for: what is known last, what was released first, or every one. */
export const vintages = ['latest', 'first', 'all'] as const;
export type Vintage = (typeof vintages)[number];

export type EconomicObservation = {
  observedOn: string;
  /** The decimal as it was imported; null where the vintage takes the observation back. */
  value: string | null;
  knownAt: string;
  knownAtBasis: 'stated' | 'assumed' | 'imported';
  revision: number;
  /** Whether a later vintage of the observation was known by the day asked about. */
  superseded: boolean;
};

/** Where a page of observations ends. */
export type ObservationPlace = Pick<EconomicObservation, 'observedOn' | 'knownAt' | 'revision'>;

export type ObservationQuestion = {
  from?: string | undefined;
  to?: string | undefined;
  /** The last day of knowledge that counts. */
  asOf?: string | undefined;
  vintage: Vintage;
  after: ObservationPlace | undefined;
  most: number;
};

/** The observations of a series as they were known by the end of a day, by the day observed and the moment known. */
export async function economicObservations(
  em: Em,
  series: EconomicSeries,
  { vintage, after, most, ...range }: ObservationQuestion,
): Promise<EconomicObservation[]> {
  const { rows } = await sql<EconomicObservation>`
    select observed_on::text as "observedOn", value::text as value,
      to_char(known_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "knownAt",
      known_at_basis as "knownAtBasis", revision, superseded
    from ${rowsOf[vintage](series, { ...range, from: later(range.from, after?.observedOn) })} o
    where ${after === undefined ? sql`true` : isAfter(after)}
    order by observed_on, known_at, revision limit ${most}
  `.execute(em.getKysely());
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

function observationsOf({ datasetId, key }: EconomicSeries, { from, to }: Range) {
  return {
    table: 'economic_observation',
    key: ['observed_on'],
    columns: ['known_at_basis', 'revision', 'value'],
    where: sql`o.dataset_id = ${datasetId} and o.series = ${key}
      and o.observed_on >= ${from ?? '-infinity'}::date and o.observed_on <= ${to ?? 'infinity'}::date`,
  };
}

function isAfter({ observedOn, knownAt, revision }: ObservationPlace): RawBuilder<unknown> {
  return sql`(observed_on, known_at, revision) > (${observedOn}::date, ${knownAt}::timestamptz, ${revision}::integer)`;
}

function later(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}
