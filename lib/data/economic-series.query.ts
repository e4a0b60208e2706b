import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { knownRows, wasKnown } from './as-of.query.ts';
import type { EconomicFrequency } from './economic-series.ts';
import { seriesFault } from './import/readers/fields.ts';

/** A series in the dataset that provides it, at one revision of the dataset. */
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
  /**
   * The revision of the dataset. Rows of later revisions are left out, so that all pages of a list show the
   * same state of the data.
   */
  datasetRevision: number;
  /** The number of stored rows. It decreases when old observations are dropped. */
  datasetRows: number;
  isPlatform: boolean;
};

export type SeriesQuestion = {
  /** The as-of day. Only descriptions and observations known by its end are used; undefined: no limit. */
  asOf: string | undefined;
  frequency?: EconomicFrequency | undefined;
  /** The source. Case does not matter. */
  source?: string | undefined;
  /** A part of the key or title to search for. Case does not matter. */
  q?: string | undefined;
  /** The ids of the datasets to list. Default: every dataset that the database role can read. */
  datasets?: readonly number[];
  after: string | undefined;
  limit: number;
};

/**
 * Lists the series that the caller may read, ordered by key, as they were described by the end of a day. A series with
 * neither a description nor an observation by then is left out. If several datasets contain a key, a dataset of the
 * workspace takes precedence over a dataset of the platform.
 */
export async function listEconomicSeries(
  em: Em,
  { asOf, after, limit, frequency, source, q, datasets }: SeriesQuestion,
): Promise<EconomicSeries[]> {
  const conditions = [
    sql`true`,
    frequency === undefined ? undefined : sql`frequency = ${frequency}`,
    source === undefined ? undefined : sql`lower(source) = lower(${source})`,
    q === undefined
      ? undefined
      : sql`(strpos(lower(key), lower(${q})) > 0 or strpos(lower(title), lower(${q})) > 0)`,
  ].filter((condition) => condition !== undefined);
  const among = [
    after === undefined ? sql`true` : sql`e.key > ${after} collate "C"`,
    ...(datasets === undefined ? [] : [sql`e.dataset_id = any(${datasets}::integer[])`]),
  ];
  const { rows } = await sql<EconomicSeries>`
    select * from (${described(sql.join(among, sql` and `), asOf)}) series
    where ${sql.join(conditions, sql` and `)}
    order by key limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns a series as it was described by the end of a day; undefined if it had no description and no
 * observation by then.
 */
export async function findEconomicSeries(
  em: Em,
  key: string,
  asOf: string | undefined,
): Promise<EconomicSeries | undefined> {
  if (seriesFault(key) !== undefined) return undefined;
  const { rows } = await sql<EconomicSeries>`${described(sql`e.key = ${key}`, asOf)}`.execute(em.getKysely());
  return rows[0];
}

/** The descriptive columns of a series. For each column, the last known value is used. */
export const SERIES_MEMBERS = [
  'title',
  'frequency',
  'unit',
  'seasonal_adjustment',
  'source',
  'licence',
] as const;

/** Returns a subquery for the rows that describe series, aliased `e`, each with the moment it became known. */
export function seriesRevisions(where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select e.key, e.revision, ${sql.join(SERIES_MEMBERS.map((name) => sql.ref(`e.${name}`)))},
      coalesce(e.known_at, e.recorded_at) as known_at
    from economic_series e where ${where}
  )`;
}

/**
 * Returns SQL aggregates over the rows `v`: for each descriptive column, the value that became known last.
 */
export function latestMembers(): RawBuilder<unknown> {
  return sql.join(
    SERIES_MEMBERS.map((name) => {
      const column = sql.ref(`v.${name}`);
      return sql`(array_agg(${column} order by v.known_at desc, v.revision desc) filter (where ${column} is not null))[1] as ${sql.ref(name)}`;
    }),
  );
}

function described(where: RawBuilder<unknown>, asOf: string | undefined): RawBuilder<unknown> {
  const ofSeries = sql`e.key = k.key and e.dataset_id = k.dataset_id`;
  return sql`
    select distinct on (k.key) k.key, said.title, said.frequency, said.unit,
      said.seasonal_adjustment as "seasonalAdjustment", said.source, said.licence, d.id as "datasetId",
      d.uid as "datasetUid", d.name as "datasetName", d.revision as "datasetRevision",
      d.rows_held::float8 as "datasetRows", d.workspace_uid is null as "isPlatform"
    from (select distinct e.key, e.dataset_id from economic_series e where ${where}) k
    join dataset d on d.id = k.dataset_id
    cross join lateral (
      select count(*) as times, ${latestMembers()} from ${seriesRevisions(ofSeries)} v where ${wasKnown('v', asOf)}
    ) said
    where said.times > 0 or exists (
      select from economic_observation o
      where o.dataset_id = k.dataset_id and o.series = k.key and ${wasKnown('o', asOf)}
    )
    order by k.key, d.workspace_uid is null, d.id
  `;
}

export type SeriesCoverage = { first: string | null; last: string | null; observations: number };

/**
 * Returns the first and the last day with a value, and the number of days with a value, as known by the end of a day.
 */
export async function coverageOf(
  em: Em,
  { datasetId, key }: EconomicSeries,
  asOf: string | undefined,
): Promise<SeriesCoverage> {
  const known = knownRows({
    table: 'economic_observation',
    key: ['observed_on'],
    columns: [],
    where: sql`o.dataset_id = ${datasetId} and o.series = ${key}`,
    asOf,
  });
  const { rows } = await sql<SeriesCoverage>`
    select min(observed_on)::text as first, max(observed_on)::text as last, count(*)::integer as observations
    from ${known} known
  `.execute(em.getKysely());
  return rows[0]!;
}
