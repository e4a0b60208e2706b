import type { Em, Tenant } from '#lib/database/base.ts';
import { LqmModel } from './lqm.entity.ts';

/** Where a numeric model is, across all tenants; undefined where there is none. */
export async function lqmPlace(em: Em, uid: string): Promise<Tenant | undefined> {
  const found = await em.findOne(LqmModel, { uid }, { filters: false });
  return found ? { workspace: found.workspaceUid, environment: found.environment } : undefined;
}
