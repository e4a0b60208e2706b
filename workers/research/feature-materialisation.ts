import { systemClock, type Clock } from '#lib/core/clock.ts';
import type { Em, Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { materialise, type Materialised } from '#lib/data/feature/materialise.query.ts';
import type { Mode, Progress } from '#lib/data/feature/materialisation.write.ts';
import { answerUse } from '#lib/data/rights/ask-rights.query.ts';
import { dueVersions, findMaterialisable, workspacesWithFeatures } from '#lib/data/feature/version.query.ts';

/**
 * Brings the values of all features up to date with their sources. A failed feature does not stop the other
 * features: its failure is recorded, and the first error is thrown at the end.
 */
export async function featureMaterialisation(orm: Orm, clock: Clock = systemClock): Promise<number> {
  let count = 0;
  const errors: unknown[] = [];
  for (const workspace of await inPlatform(orm, workspacesWithFeatures)) {
    const due = await inTenant(orm, placeOf(workspace), (em) => dueVersions(em, workspace, clock.now()));
    const denied = await inTenant(orm, placeOf(workspace), (em) => deniedDatasets(em, clock));
    for (const version of due.filter(({ datasetId }) => !denied.has(datasetId))) {
      try {
        const options = { mode: 'incremental', clock } as const;
        if (await materialise((work) => inTenant(orm, placeOf(workspace), work), version, options))
          count += 1;
      } catch (error) {
        errors.push(error);
      }
    }
  }
  if (errors.length > 0) throw errors[0];
  return count;
}

export type MaterialiseRequest = {
  workspace: string;
  key: string;
  version?: number;
  mode: Mode;
  clock: Clock;
  onProgress(progress: Progress): void;
};

export type MaterialiseReport =
  | { ok: true; version: number; materialised: Materialised }
  | { ok: false; code: 'feature_unknown' | 'materialisation_under_way' | 'entitlement_missing' };

/** Brings the values of one version of a feature up to date. The default is the latest version. */
export async function materialiseOne(orm: Orm, request: MaterialiseRequest): Promise<MaterialiseReport> {
  const { workspace, mode, clock, onProgress } = request;
  const place = placeOf(workspace);
  const found = await inTenant(orm, place, (em) => findMaterialisable(em, request));
  if (!found) return { ok: false, code: 'feature_unknown' };
  const denied = await inTenant(orm, place, (em) => deniedDatasets(em, clock));
  if (denied.has(found.datasetId)) return { ok: false, code: 'entitlement_missing' };
  const materialised = await materialise((work) => inTenant(orm, place, work), found, {
    mode,
    clock,
    onProgress,
  });
  return materialised
    ? { ok: true, version: found.version, materialised }
    : { ok: false, code: 'materialisation_under_way' };
}

/** Returns the ids of the datasets whose entitlements do not permit that features are derived from them. */
async function deniedDatasets(em: Em, clock: Clock): Promise<Set<number>> {
  const { denied } = await answerUse(em, { action: 'derive', rows: 'all', now: clock.now() });
  return new Set(denied.map(({ id }) => id));
}

/**
 * Returns the tenant for transactions on features. Features belong to the workspace and not to one
 * environment, so the environment is always the sandbox.
 */
function placeOf(workspace: string) {
  return { workspace, environment: 'sandbox' } as const;
}
