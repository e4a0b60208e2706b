import type { Em } from '#lib/database/base.ts';
import { ModelVersion } from './model.entity.ts';
import { servingVersion } from './serving-version.query.ts';

/** A version of a built-in model, and whether it is the serving version for the workspace of `em`. */
export type ListedVersion = { version: ModelVersion; isActive: boolean };

export async function listModelVersions(em: Em): Promise<ListedVersion[]> {
  const versions = await em.find(ModelVersion, {}, { orderBy: { key: 'asc', version: 'asc' } });
  const listed: ListedVersion[] = [];
  for (const version of versions) {
    listed.push({ version, isActive: (await servingVersion(em, version.key)) === version.version });
  }
  return listed;
}

/**
 * Returns the serving version of each of the models for the workspace of `em`. Models without a serving version are
 * left out.
 */
export async function servingVersions(em: Em, keys: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const key of keys) {
    const version = await servingVersion(em, key);
    if (version !== undefined) found.set(key, version);
  }
  return found;
}
