import { sql } from 'kysely';
import { instant, knownRows, wasKnown } from '#lib/data/as-of.query.ts';
import type { Em } from '#lib/database/base.ts';
import type { DatedValue } from './leakage.ts';
import type { PinnedVersion } from './universe.query.ts';

/** Finds the first target value that describes a day after the as-of day but was known by the end of the as-of day. */
export async function targetsKnownBefore(
  em: Em,
  target: PinnedVersion & { feature: string; entities: readonly string[] },
  asOf: string,
): Promise<DatedValue[]> {
  const { rows } = await sql<Omit<DatedValue, 'feature'>>`
    select o.entity, ${instant(sql.ref('o.event_time'))} as "eventTime", ${instant(sql.ref('o.known_at'))} as "knownAt"
    from unnest(${[...target.entities]}::text[]) e (entity)
    cross join lateral (
      select v.* from feature_value v
      where v.feature_version_id = ${target.id} and v.entity = e.entity and v.revision <= ${target.revision}
        and v.event_time >= (${asOf}::date + 1)::timestamp at time zone 'utc' and ${wasKnown('v', asOf)}
        and not v.withdrawn
      order by v.event_time limit 1
    ) o
    order by o.entity collate "C" limit 1
  `.execute(em.getKysely());
  return rows.map((row) => ({ feature: target.feature, ...row }));
}

export type TargetQuestion = PinnedVersion & {
  entities: readonly string[];
  /** The days that the value may describe: after `after`, up to and including `until`. */
  days: { after: string; until: string };
  /** The as-of day. Only values known by its end are used. */
  knownBy: string;
};

/** Returns the last value of a target within a range of days for each entity; null if no value was known. */
export async function targetValues(em: Em, question: TargetQuestion): Promise<(number | null)[]> {
  const { id, revision, entities, days, knownBy } = question;
  const known = knownRows({
    table: 'feature_value',
    key: ['event_time'],
    columns: ['value'],
    where: sql`o.feature_version_id = ${id} and o.entity = e.entity and o.revision <= ${revision}
      and o.event_time >= (${days.after}::date + 1)::timestamp at time zone 'utc'
      and o.event_time < (${days.until}::date + 1)::timestamp at time zone 'utc'`,
    asOf: knownBy,
  });
  const { rows } = await sql<{ value: number | null }>`
    select last.value from unnest(${[...entities]}::text[]) with ordinality e (entity, place)
    left join lateral (select value from ${known} known order by event_time desc limit 1) last on true
    order by e.place
  `.execute(em.getKysely());
  return rows.map(({ value }) => value);
}
