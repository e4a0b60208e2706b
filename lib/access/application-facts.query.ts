import type { Scope } from '#lib/core/scope.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { Application } from './application.entity.ts';
import { ProductionAccess } from './production-access.entity.ts';
import { Workspace } from './workspace.entity.ts';

export type ApplicationFacts = {
  isApplicationActive: boolean;
  /** Whether the application may act in the current environment. */
  hasPlaceAccess: boolean;
  /** Scopes that the workflow needs, but that the application or the workspace's entitlement lacks. */
  missingScopes: string[];
};

/**
 * Reads the current rights of an application of the current tenant. A request with its credentials is checked
 * against the same rights.
 */
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
