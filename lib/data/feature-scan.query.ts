import { sql } from 'kysely';
import { addDays, daysBetween } from '#lib/core/date.ts';
import type { Em } from '#lib/database/base.ts';
import { knownRows, wasKnown } from './as-of.query.ts';
import type { FeatureCell } from './feature-join.query.ts';
import { isoInstant } from './instant-text.ts';

/** The values of a version for entities. Each array has the order of the entities. */
export type FeatureColumn = {
  entities: string[];
  values: FeatureCell['value'][];
  eventTimes: FeatureCell['eventTime'][];
  knownAt: FeatureCell['knownAt'][];
  ageDays: FeatureCell['ageDays'][];
  reasons: FeatureCell['reason'][];
};

export type FeatureScan = {
  /** The versions, each with its last revision to read. */
  versions: readonly { id: number; revision: number }[];
  /** The as-of day, YYYY-MM-DD. Values known by its end (UTC) are returned. */
  asOf: string;
};

type ColumnRow = { id: number; max_age_days: number } & Record<
  'entities' | 'values' | 'event_times' | 'known_at',
  string
>;

/** The separator of joined values. PostgreSQL never writes it in a number or timestamp. */
const BETWEEN = ',';

/**
 * Returns the values of each version for all its entities as known by the end of a day, by version id.
 * Entities are in code point order. The query steps through the index from the last entity to the first and
 * reads the newest row of each entity. If the newest row was not known by the end of the day, a second lookup
 * finds the last row that was known by then.
 */
export async function scanFeatures(
  em: Em,
  { versions, asOf }: FeatureScan,
): Promise<Map<number, FeatureColumn>> {
  const moment = sql`(${`${addDays(asOf, 1)}T00:00:00Z`}::timestamptz - interval '1 microsecond')`;
  const earlier = knownRows({
    table: 'feature_value',
    key: ['event_time'],
    columns: ['value'],
    where: sql`not step.is_answer and o.feature_version_id = step.id and o.entity = step.entity
      and o.event_time <= ${moment} and o.revision <= step.pin`,
    asOf: { instant: moment },
    newestFirst: true,
  });
  const lastOf = (condition: ReturnType<typeof sql>) => sql`(
    select o.entity, o.event_time, o.known_at, o.value,
      o.event_time <= ${moment} and ${wasKnown('o', { instant: moment })} and o.revision <= of.pin and not o.withdrawn as is_answer
    from feature_value o where o.feature_version_id = of.id ${condition}
    order by o.entity desc, o.event_time desc, o.known_at desc, o.revision desc limit 1
  )`;
  const { rows } = await sql<ColumnRow>`
    with recursive step as (
      select of.id, of.max_age_days, of.pin, last.*
      from (
        select v.id, v.max_age_days, wanted.pin
        from unnest(${versions.map(({ id }) => id)}::int[], ${versions.map(({ revision }) => revision)}::int[])
          wanted (id, pin)
        join feature_version v on v.id = wanted.id
      ) of cross join lateral ${lastOf(sql``)} last
      union all
      select of.id, of.max_age_days, of.pin, last.*
      from step of cross join lateral ${lastOf(sql`and o.entity < of.entity`)} last
    )
    select step.id, step.max_age_days, json_agg(step.entity order by step.entity)::text as entities,
      ${joined(sql`latest.value`)} as values, ${joined(sql`latest.event_time`)} as event_times,
      ${joined(sql`latest.known_at`)} as known_at
    from step
    left join lateral (
      select step.event_time, step.known_at, step.value where step.is_answer
      union all
      (select event_time, known_at, value from ${earlier} earlier order by event_time desc limit 1)
    ) latest on true
    group by step.id, step.max_age_days
  `.execute(em.getKysely());
  return new Map(rows.map((row) => [row.id, columnOf(row, asOf)]));
}

function joined(column: ReturnType<typeof sql>) {
  return sql`string_agg(coalesce(${column}::text, ''), ${BETWEEN} order by step.entity)`;
}

function columnOf(row: ColumnRow, asOf: string): FeatureColumn {
  const texts = (joined: string) => joined.split(BETWEEN).map((each) => (each === '' ? null : each));
  const instantOf = once(isoInstant);
  const ageOf = once((instant) => daysBetween(instant.slice(0, 10), asOf));
  const eventTimes = texts(row.event_times).map((each) => each && instantOf(each));
  const ageDays = eventTimes.map((each) => (each === null ? null : ageOf(each)));
  const reasons = ageDays.map((age) =>
    age === null ? ('never_observed' as const) : age > row.max_age_days ? ('stale' as const) : null,
  );
  return {
    entities: JSON.parse(row.entities) as string[],
    values: texts(row.values).map((each, at) => (each === null || reasons[at] ? null : Number(each))),
    eventTimes,
    knownAt: texts(row.known_at).map((each) => each && instantOf(each)),
    ageDays,
    reasons,
  };
}

/** Returns a function that caches the result for each text, because many entities have values at the same moments. */
function once<Value>(of: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = of(text);
    known.set(text, value);
    return value;
  };
}
