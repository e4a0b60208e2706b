import { Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { ModelVersion } from './model.entity.ts';
import { requireServingVersion } from './serving-version.query.ts';

/**
 * Checks that the given version of a built-in model is the serving version for the workspace. Throws
 * `not_found` for an unknown version, `model_not_approved` if there is no serving version or if the version is neither
 * approved nor retired, and `model_superseded` if the version is retired or if another version is the serving version.
 */
export async function requireVersion(em: Em, key: string, version: string): Promise<void> {
  const found = await em.findOne(ModelVersion, { key, version });
  if (!found) throw new Problem('not_found', `The model ${key} has no version ${version}.`);
  const serving = await requireServingVersion(em, key);
  if (serving === version) return;
  const label = `Version ${version} of ${key}`;
  if (found.state !== 'approved' && found.state !== 'retired')
    throw new Problem('model_not_approved', `${label} is ${found.state}, not approved.`);
  throw new Problem('model_superseded', `${label} is not the serving version. Version ${serving} is.`);
}
