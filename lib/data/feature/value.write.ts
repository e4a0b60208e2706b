import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { Stored } from './merge.ts';

/** Reads the stored values, by entity and event. For each moment, only the latest revision is returned. */
export async function storedValues(
  em: Em,
  versionId: number,
  { entities, from }: { entities: readonly string[]; from: number | undefined },
): Promise<Map<string, Map<number, Stored[]>>> {
  const { rows } = await sql<{
    entity: string;
    event_us: string;
    known_us: string;
    revision: number;
    value: number | null;
  }>`
    select distinct on (entity, event_time, known_at) entity, revision, value,
      (extract(epoch from event_time) * 1000000)::bigint::text as event_us,
      (extract(epoch from known_at) * 1000000)::bigint::text as known_us
    from feature_value
    where feature_version_id = ${versionId} and entity = any(${[...entities]}::text[])
      and ${from === undefined ? sql`true` : sql`event_time >= ${instant(from)}`}
    order by entity, event_time, known_at, revision desc
  `.execute(em.getKysely());
  const held = new Map<string, Map<number, Stored[]>>();
  for (const row of rows) {
    const ofEntity = held.get(row.entity) ?? new Map<number, Stored[]>();
    held.set(row.entity, ofEntity);
    const steps = ofEntity.get(Number(row.event_us)) ?? [];
    ofEntity.set(Number(row.event_us), steps);
    steps.push({ knownAt: Number(row.known_us), revision: row.revision, value: row.value ?? Number.NaN });
  }
  return held;
}

/** A row to write. NaN is a withdrawal. Moments are microseconds since 1970. */
export type ValueRow = {
  entity: string;
  eventTime: number;
  knownAt: number;
  revision: number;
  value: number;
};

const ROWS_A_STATEMENT = 10_000;

/**
 * Writes values under a new revision, above all revisions of the version. Reads up to an earlier revision
 * therefore never change. The caller must exclude other writers of the version.
 */
export async function writeValues(em: Em, versionId: number, rows: readonly ValueRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    const some = rows.slice(at, at + ROWS_A_STATEMENT);
    await sql`
      insert into feature_value (feature_version_id, entity, event_time, known_at, revision, withdrawn, value)
      select ${versionId}, entity, timestamptz 'epoch' + event_us * interval '1 microsecond',
        timestamptz 'epoch' + known_us * interval '1 microsecond', (
          select coalesce(max(revision), 0) + 1 from feature_value where feature_version_id = ${versionId}
        ), value is null, value
      from unnest(${some.map(({ entity }) => entity)}::text[], ${some.map(({ eventTime }) => eventTime)}::bigint[],
        ${some.map(({ knownAt }) => knownAt)}::bigint[],
        ${some.map(({ value }) => (Number.isNaN(value) ? null : value))}::float8[])
        v (entity, event_us, known_us, value)
    `.execute(em.getKysely());
  }
}

/**
 * Updates the planner's statistics after many rows were written. Skips the table if another transaction is already
 * analysing it.
 */
export async function analyzeValues(em: Em): Promise<void> {
  await sql`analyze (skip_locked) feature_value`.execute(em.getKysely());
}

function instant(microseconds: number) {
  return sql`timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`;
}
