import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { FeatureText, FeatureValues } from './strategy-data.ts';
import type { StrategyFault } from './strategy-fault.ts';
import type { FeatureNeed } from './strategy-question.ts';

/** The version of a feature that a signal reads, and the last revision of this version when the run was submitted. */
export type PinnedFeature = { signal: string; version_id: number; revision: number; max_age_days: number };

/**
 * Finds the features of a strategy and pins their revisions. Faults: a feature that does not have the wanted version
 * (`unknown_feature`), and a feature that does not describe instruments (`entity_type`).
 */
export async function pinFeatures(
  em: Em,
  needs: readonly FeatureNeed[],
): Promise<{ features: PinnedFeature[]; faults: StrategyFault[] }> {
  if (needs.length === 0) return { features: [], faults: [] };
  const { rows } = await sql<PinnedFeature & { entity_type: string }>`
    select need.signal, v.id as version_id, v.max_age_days, f.entity_type,
      coalesce((select max(o.revision) from feature_value o where o.feature_version_id = v.id), 0)::int as revision
    from unnest(${needs.map(({ signal }) => signal)}::text[], ${needs.map(({ key }) => key)}::text[],
      ${needs.map(({ version }) => version)}::int[]) need (signal, key, version)
    join feature f on f.key = need.key and f.workspace_uid = ${tenantOf(em).workspace}
    join feature_version v on v.feature_uid = f.uid and v.version = need.version
    order by need.signal
  `.execute(em.getKysely());
  const faults = needs.flatMap(({ signal, key, version }): StrategyFault[] => {
    const found = rows.find((row) => row.signal === signal);
    const at = `/signals/${signal}/feature`;
    if (!found)
      return [
        {
          pointer: at,
          code: 'unknown_feature',
          message: `${key} is not a feature of the workspace with a version ${version}`,
        },
      ];
    if (found.entity_type === 'instrument') return [];
    const message = `${key} describes entities of the type ${found.entity_type}, not instruments`;
    return [{ pointer: at, code: 'entity_type', message }];
  });
  return { features: rows.map(({ entity_type: _, ...row }) => row), faults };
}

/**
 * Reads the values of features for symbols: every state that was known by the end of the day `asOf`, so that each
 * decision can use the values that were known at the time of the decision.
 */
export async function featureValues(
  em: Em,
  features: readonly PinnedFeature[],
  { symbols, until, asOf }: { symbols: readonly string[]; until: string; asOf: string },
): Promise<FeatureValues[]> {
  const found: FeatureValues[] = [];
  for (const { signal, version_id: id, revision, max_age_days: maxAgeDays } of features) {
    const { rows } = await sql<FeatureText>`
      select o.entity, string_agg(concat_ws(' ', (o.event_time at time zone 'utc')::date,
        (o.known_at at time zone 'utc')::date, coalesce(o.value::text, '-')),
        ',' order by o.known_at, o.revision) as "values"
      from feature_value o
      where o.feature_version_id = ${id} and o.revision <= ${revision} and o.entity = any(${[...symbols]}::text[])
        and o.event_time < (${until}::date + 1)::timestamp at time zone 'utc'
        and o.known_at < (${asOf}::date + 1)::timestamp at time zone 'utc'
      group by o.entity order by o.entity
    `.execute(em.getKysely());
    found.push({ signal, maxAgeDays, entities: rows });
  }
  return found;
}
