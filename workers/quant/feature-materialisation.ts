import { systemClock, type Clock } from '#lib/core/clock.ts';
import { inPlatform, inTenant, type Orm } from '#lib/database/orm.ts';
import { materialise } from '#lib/data/feature/materialise.repository.ts';
import { dueVersions, workspacesWithFeatures } from '#lib/data/feature/version.repository.ts';

/**
 * Brings the values of all features up to what is known of their sources. One that fails is noted and does not hold up
 * the others; the first error is thrown in the end, so that it is seen.
 */
export async function featureMaterialisation(orm: Orm, clock: Clock = systemClock): Promise<number> {
  let count = 0;
  const errors: unknown[] = [];
  for (const workspace of await inPlatform(orm, workspacesWithFeatures)) {
    // Features are of the workspace, whatever the environment.
    const tenant = { workspace, environment: 'sandbox' } as const;
    const due = await inTenant(orm, tenant, (em) => dueVersions(em, workspace, clock.now()));
    for (const version of due) {
      try {
        const options = { mode: 'incremental', clock } as const;
        if (await materialise((work) => inTenant(orm, tenant, work), version, options)) count += 1;
      } catch (error) {
        errors.push(error);
      }
    }
  }
  if (errors.length > 0) throw errors[0];
  return count;
}
