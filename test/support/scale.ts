import type { Client } from 'pg';

const known = `known_at, known_at_basis, revision`;

/** Returns the names of `count` symbols or entities: `S00000`, `S00001`, ... */
export function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `S${String(at).padStart(5, '0')}`);
}

/**
 * Writes month-end prices for the given number of symbols, from January 2005 on, directly and not by an
 * import. The client belongs to the superuser.
 */
export async function fillMonthlyPrices(
  client: Client,
  { datasetId, symbols, months }: { datasetId: number; symbols: number; months: number },
): Promise<void> {
  await client.query(
    `insert into price (dataset_id, symbol, frequency, observed_on, ${known}, close, adj_close)
     select $1, 'S' || lpad(s::text, 5, '0'), 'monthly', day, (day + 1)::timestamp at time zone 'utc' - interval '1 microsecond',
       'assumed', 1, 20 + s % 200, 20 + s % 200 + m % 7
     from generate_series(0, $2 - 1) s, generate_series(1, $3) m,
       lateral (select (date '2005-01-01' + make_interval(months => m) - interval '1 day')::date) d (day)`,
    [datasetId, symbols, months],
  );
  await client.query('vacuum analyze price');
}

/**
 * Writes yearly values of features directly and not by a materialisation. Each version of a feature gets
 * `years` values of each entity, the last of them for 2020.
 */
export async function fillFeatureValues(
  client: Client,
  { versionIds, entities, years }: { versionIds: readonly number[]; entities: number; years: number },
): Promise<void> {
  await client.query(
    `insert into feature_value (feature_version_id, entity, event_time, known_at, revision, value)
     select version, 'S' || lpad(s::text, 5, '0'), at, at, 1, version + s::float8 / 7 + y
     from unnest($1::int[]) version, generate_series(0, $2 - 1) s, generate_series(1, $3) y,
       lateral (select make_timestamptz(2020 - $3 + y, 6, 30, 0, 0, 0, 'utc')) e (at)`,
    [versionIds, entities, years],
  );
  await client.query('vacuum analyze feature_value');
}
