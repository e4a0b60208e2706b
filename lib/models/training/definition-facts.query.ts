import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { findLqms, type LqmInVersion } from '#lib/models/registry/lqm.query.ts';
import type { DefinitionFacts, StoredFeature, VersionRequest } from './version-definition.ts';

/** Reads the facts that the definition of a version depends on, in the tenant of `em`. */
export async function definitionFacts(em: Em, request: VersionRequest): Promise<DefinitionFacts> {
  const { dataset, store, members } = request;
  return {
    environment: tenantOf(em).environment,
    dataset: await findNumericDataset(em, dataset),
    feature: store && (await storedFeature(em, store.feature)),
    versions: await memberVersions(em, members),
  };
}

/** Reads a version of a feature: the version that `key@version` names, or the newest version if only a key is given. */
async function storedFeature(em: Em, named: string): Promise<StoredFeature | undefined> {
  const [, key, version] = /^(.+?)(?:@([1-9]\d{0,8}))?$/.exec(named) ?? [];
  const { rows } = await sql<StoredFeature>`
    select f.key, v.version, v.id, v.unit, v.max_age_days as "maxAgeDays"
    from feature f join feature_version v on v.feature_uid = f.uid
    where f.workspace_uid = ${tenantOf(em).workspace} and f.key = ${key ?? ''}
      and ${version === undefined ? sql`true` : sql`v.version = ${Number(version)}`}
    order by v.version desc limit 1
  `.execute(em.getKysely());
  return rows[0];
}

async function memberVersions(
  em: Em,
  members: VersionRequest['members'],
): Promise<ReadonlyMap<string, LqmInVersion>> {
  const versions = new Map<string, LqmInVersion>();
  for (const { name } of members) {
    const [, key, version] = /^([^@]+)@([1-9]\d{0,8})$/.exec(name) ?? [];
    if (key === undefined) continue;
    const [found] = await findLqms(em, { key, version: Number(version) });
    if (found) versions.set(name, found);
  }
  return versions;
}
