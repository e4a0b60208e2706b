import type { Scope } from '#lib/core/scope.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { Application } from '#lib/access/application.entity.ts';
import { ProductionAccess } from '#lib/access/production-access.entity.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';

export type ApplicationFacts = {
  isApplicationActive: boolean;
  /** Whether it may act in the em's environment. */
  hasPlaceAccess: boolean;
  /** Those of the scopes that it or the workspace's entitlement lacks. */
  missingScopes: string[];
};

/** What an application of the em's tenant may do now: what a request with its credentials would be checked against. */
export async function applicationFacts(
  em: Em,
  uid: string,
  scopes: readonly Scope[],
): Promise<ApplicationFacts> {
  const { workspace, environment } = tenantOf(em);
  const found = await em.findOne(Application, { uid }, { refresh: true });
  const { entitlements } = await em.findOneOrFail(Workspace, { uid: workspace }, { refresh: true });
  const held = new Set(found?.scopes.filter((scope) => entitlements.includes(scope)));
  const access =
    environment === 'sandbox' ||
    (await em.findOne(ProductionAccess, { applicationUid: uid }, { refresh: true }))?.state === 'approved';
  return {
    isApplicationActive: found?.status === 'active',
    hasPlaceAccess: access,
    missingScopes: scopes.filter((scope) => !held.has(scope)),
  };
}
