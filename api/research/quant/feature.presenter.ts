import type { Static } from 'typebox';
import { daysBetween } from '#lib/core/date.ts';
import type { FeatureRow, MaterialisationRow, ValueRow, VersionRow } from '#lib/data/feature/read.query.ts';
import { isoInstant } from '#lib/data/instant-text.ts';
import type { FeatureDetail, FeatureSummary, FeatureValue, FeatureVersion } from './feature.schema.ts';

export type Materialisations = {
  newest: MaterialisationRow | undefined;
  succeeded: MaterialisationRow | undefined;
};

export function presentSummary(row: FeatureRow, latest: VersionRow): Static<typeof FeatureSummary> {
  return { ...described(row), latest: presentVersion(latest) };
}

export function presentFeature(
  row: FeatureRow,
  versions: readonly VersionRow[],
  { newest, succeeded }: Materialisations,
  today: string,
): Static<typeof FeatureDetail> {
  const latest = versions[0]!;
  const lastEvent = succeeded?.last_event ?? null;
  const age = lastEvent === null ? null : daysBetween(lastEvent.slice(0, 10), today);
  return {
    ...described(row),
    versions: versions.map(presentVersion),
    coverage: succeeded
      ? {
          values: succeeded.values_held ?? 0,
          entities: succeeded.entities_held ?? 0,
          first_event_time: instant(succeeded.first_event),
          last_event_time: instant(lastEvent),
        }
      : null,
    freshness: {
      state: newest?.state ?? 'never',
      is_current: succeeded !== undefined && succeeded.dataset_revision === latest.dataset_revision,
      dataset_revision: succeeded?.dataset_revision ?? null,
      told_until: instant(succeeded?.told_until ?? null),
      age_days: age,
      is_stale: age === null ? null : age > latest.max_age_days,
      progress:
        newest?.state === 'running'
          ? {
              mode: newest.mode,
              entities_total: newest.entities_total,
              entities_done: newest.entities_done,
              rows_written: newest.rows_written,
            }
          : null,
    },
  };
}

export function presentValue(row: ValueRow, version: number): Static<typeof FeatureValue> {
  return {
    entity: row.entity,
    event_time: isoInstant(row.event_time),
    known_at: isoInstant(row.known_at),
    value: row.value,
    version,
  };
}

function described(row: FeatureRow) {
  return {
    uid: row.uid,
    key: row.key,
    entity_type: row.entity_type,
    description: row.description,
    owner: row.owner_uid,
    status: row.status,
    created_at: isoInstant(row.created_at),
  };
}

function presentVersion(row: VersionRow): Static<typeof FeatureVersion> {
  return {
    uid: row.uid,
    version: row.version,
    unit: row.unit,
    frequency: row.frequency,
    dataset:
      row.dataset_uid === null
        ? null
        : { uid: row.dataset_uid, kind: row.dataset_kind!, name: row.dataset_name! },
    expression: row.expression,
    max_age_days: row.max_age_days,
    created_by: row.created_by_uid,
    created_at: isoInstant(row.created_at),
  };
}

function instant(text: string | null): string | null {
  return text === null ? null : isoInstant(text);
}
