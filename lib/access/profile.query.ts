import type { Em } from '#lib/database/base.ts';
import { Application } from './application.entity.ts';
import { ProductionAccess } from './production-access.entity.ts';
import { Workspace } from './workspace.entity.ts';

/**
 * Returns an application of the tenant of `em` with its workspace and its production access. The production access is
 * null if it was never requested.
 */
export async function readProfile(em: Em, caller: { workspace: string; application: string }) {
  const workspace = await em.findOneOrFail(Workspace, { uid: caller.workspace });
  const application = await em.findOneOrFail(Application, { uid: caller.application });
  const access = await em.findOne(ProductionAccess, { applicationUid: caller.application });
  return { workspace, application, access };
}
