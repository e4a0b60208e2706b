import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { EntityType } from '#lib/data/feature.entity.ts';

export type NamedVersion = { key: string; version: number };

export type FoundVersion = NamedVersion & {
  id: number;
  unit: string;
  entityType: EntityType;
  status: 'active' | 'retired';
};

/** Finds the named feature versions of the tenant, ordered by key. Versions that do not exist are left out. */
export async function findVersions(em: Em, named: readonly NamedVersion[]): Promise<FoundVersion[]> {
  const { rows } = await sql<FoundVersion>`
    select v.id, f.key, v.version, v.unit, f.entity_type as "entityType", f.status
    from unnest(${named.map(({ key }) => key)}::text[], ${named.map(({ version }) => version)}::int[]) n (key, version)
    join feature f on f.key = n.key and f.workspace_uid = ${tenantOf(em).workspace}
    join feature_version v on v.feature_uid = f.uid and v.version = n.version
    order by f.key collate "C"
  `.execute(em.getKysely());
  return rows;
}

const PIN = 'feature_version:';

/**
 * Returns the last revision of the values of each version. A run that stores these revisions and the dataset revisions
 * always reads the same data.
 */
export async function pinVersions(em: Em, ids: readonly number[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ id: number; revision: number }>`
    select v.id, coalesce((select max(revision) from feature_value o where o.feature_version_id = v.id), 0)::int as revision
    from unnest(${[...ids]}::int[]) v (id)
  `.execute(em.getKysely());
  return Object.fromEntries(rows.map(({ id, revision }) => [PIN + id, revision]));
}

/** Returns the pinned revision of a version. Throws if the run does not pin a revision of this version. */
export function pinnedRevision(pins: Readonly<Record<string, number>>, id: number): number {
  const revision = pins[PIN + id];
  if (revision === undefined) throw new Error(`the run does not pin a revision of feature version ${id}`);
  return revision;
}

/** Returns the dataset revisions that a run has pinned, without the feature revisions that it has pinned. */
export function datasetPins(pins: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(pins).filter(([name]) => !name.startsWith(PIN)));
}

/**
 * Returns the number of the given version of a feature, by default of the newest version; undefined if the tenant has
 * no such version.
 */
export async function newestVersion(
  em: Em,
  { key, version }: { key: string; version?: number | undefined },
): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    select v.version from feature f join feature_version v on v.feature_uid = f.uid
    where f.workspace_uid = ${tenantOf(em).workspace} and f.key = ${key}
      and ${version === undefined ? sql`true` : sql`v.version = ${version}`}
    order by v.version desc limit 1
  `.execute(em.getKysely());
  return rows[0]?.version;
}
