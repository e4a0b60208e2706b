import { sql, type RawBuilder } from 'kysely';
import { addDays } from '#lib/core/date.ts';
import type { Em } from '#lib/database/base.ts';
import { knownRows } from './as-of.query.ts';
import { isoInstant } from './instant-text.ts';

/**
 * The reason why a cell has no value. `never_observed`: no value of the entity was known at the as-of moment. `stale`:
 * the last known value is too old.
 */
export type MissingReason = 'never_observed' | 'stale';

/** The known value of an entity in one version of a feature. */
export type FeatureCell = {
  versionId: number;
  entity: string;
  /** The value; null if there is a reason. The value of a stale cell is left out, but its times are returned. */
  value: number | null;
  eventTime: string | null;
  knownAt: string | null;
  /** Whole days from the event to the as-of moment. */
  ageDays: number | null;
  reason: MissingReason | null;
};

export type FeatureMatrixQuestion = {
  versionIds: readonly number[];
  entities: readonly string[];
  /** The day at whose end (UTC) the values must be known, YYYY-MM-DD. */
  asOf: string;
  /** The last revision to read of each version, by version id. Default: all revisions. */
  revisions?: Readonly<Record<number, number>> | undefined;
};

/**
 * Returns the values of feature versions for entities as known by the end of a day. There is one cell per
 * pair, ordered by version and then by entity in code point order. Versions that the tenant cannot see have
 * no cells.
 */
export async function featureMatrixAsOf(em: Em, question: FeatureMatrixQuestion): Promise<FeatureCell[]> {
  return (await featureMatrixStatement(question).execute(em.getKysely())).rows.map(presentCell);
}

/** Returns the SQL statement that `featureMatrixAsOf` runs. */
export function featureMatrixStatement(question: FeatureMatrixQuestion): RawBuilder<CellRow> {
  const { versionIds, entities, asOf, revisions } = question;
  const instant = `${addDays(asOf, 1)}T00:00:00Z`;
  const points = sql`(
    select distinct entity collate "C" as entity, ${instant}::timestamptz - interval '1 microsecond' as instant
    from unnest(${[...entities]}::text[]) e (entity)
  )`;
  return cellsOf(versionIds, points, revisions);
}

const ANY_REVISION = 2_147_483_647;

type CellRow = {
  version_id: number;
  entity: string;
  instant: string;
  max_age_days: number;
  value: number | null;
  event_time: string | null;
  known_at: string | null;
  age_days: number | null;
};

/**
 * Returns the cells that a request asks for. Uses one index lookup per cell, which reads backwards from the as-of
 * moment to the first value that was not withdrawn.
 */
function cellsOf(
  versionIds: readonly number[],
  points: RawBuilder<unknown>,
  revisions?: Readonly<Record<number, number>>,
): RawBuilder<CellRow> {
  const last = versionIds.map((id) => (revisions ? (revisions[id] ?? 0) : ANY_REVISION));
  const known = knownRows({
    table: 'feature_value',
    key: ['event_time'],
    columns: ['value'],
    where: sql`o.feature_version_id = version.id and o.entity = point.entity and o.event_time <= point.instant
      and o.revision <= version.revision`,
    asOf: { instant: sql`point.instant` },
    newestFirst: true,
  });
  return sql<CellRow>`
    select version.id as version_id, point.entity, point.instant::text, version.max_age_days, last.value,
      last.event_time::text, last.known_at::text,
      floor(extract(epoch from point.instant - last.event_time) / 86400)::int as age_days
    from (
      select v.id, v.max_age_days, wanted.revision
      from unnest(${[...versionIds]}::int[], ${last}::int[]) wanted (id, revision)
      join feature_version v on v.id = wanted.id
    ) version
    cross join ${points} point
    left join lateral (
      select event_time, known_at, value from ${known} latest order by event_time desc limit 1
    ) last on true
    order by version.id, point.entity, point.instant
  `;
}

function presentCell(row: CellRow): FeatureCell {
  const isStale = row.age_days !== null && row.age_days > row.max_age_days;
  return {
    versionId: row.version_id,
    entity: row.entity,
    value: isStale ? null : row.value,
    eventTime: row.event_time === null ? null : isoInstant(row.event_time),
    knownAt: row.known_at === null ? null : isoInstant(row.known_at),
    ageDays: row.age_days,
    reason: row.event_time === null ? 'never_observed' : isStale ? 'stale' : null,
  };
}
