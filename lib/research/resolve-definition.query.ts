import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { targetWindowLeak } from './leakage.ts';
import type { ProjectDefinition, WrittenDefinition } from './project-definition.ts';

export type Resolution =
  | { ok: true; definition: ProjectDefinition }
  | {
      ok: false;
      refusal: {
        code: 'feature_unknown' | 'feature_repeated' | 'entity_types_differ' | 'leakage';
        detail: string;
      };
    };

type Newest = { key: string; version: number; entityType: string };

/**
 * Completes a written definition with all defaults. Features without a version get their newest version.
 * Features are ordered by key. Refuses unknown features, and a target that overlaps the window of the
 * features.
 */
export async function resolveDefinition(em: Em, written: WrittenDefinition): Promise<Resolution> {
  const { universe, calendar = 'any_day', target } = written;
  const wanted = [...written.features, ...(target ? [{ key: target.feature, version: target.version }] : [])];
  const { rows } = await sql<Newest>`
    select f.key, v.version, f.entity_type as "entityType" from feature f join feature_version v on v.feature_uid = f.uid
    where f.workspace_uid = ${tenantOf(em).workspace} and f.key = any(${wanted.map(({ key }) => key)}::text[])
    order by v.version desc
  `.execute(em.getKysely());
  const found = wanted.map(({ key, version }) =>
    rows.find((row) => row.key === key && (version === undefined || row.version === version)),
  );
  const missing = found.indexOf(undefined);
  if (missing >= 0) {
    const { key, version } = wanted[missing]!;
    const detail = `the workspace does not have the feature ${key}${version === undefined ? '' : ` in version ${version}`}`;
    return { ok: false, refusal: { code: 'feature_unknown', detail } };
  }
  const kept = found as Newest[];
  const entityTypes = [...new Set(kept.map(({ entityType }) => entityType))];
  if (entityTypes.length > 1) {
    const detail = `the features describe different kinds of entities: ${entityTypes.join(', ')}`;
    return { ok: false, refusal: { code: 'entity_types_differ', detail } };
  }
  const features = kept
    .slice(0, written.features.length)
    .map(({ key, version }) => ({ key, version }))
    .sort((one, other) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)));
  const repeated = features.find(({ key }, at) => at > 0 && features[at - 1]!.key === key);
  if (repeated) {
    return { ok: false, refusal: { code: 'feature_repeated', detail: `${repeated.key} is listed twice` } };
  }
  const resolvedTarget = target
    ? {
        feature: target.feature,
        version: kept.at(-1)!.version,
        horizons_months: [...target.horizons_months].sort((one, other) => one - other),
        span_months: target.span_months ?? 1,
      }
    : null;
  const leak = resolvedTarget && targetWindowLeak(resolvedTarget);
  if (leak) return { ok: false, refusal: { code: 'leakage', detail: leak.detail } };
  return { ok: true, definition: { universe, features, target: resolvedTarget, calendar } };
}
