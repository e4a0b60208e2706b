import type { Caller } from '#lib/core/operation.ts';
import type { Tenant } from '#lib/database/base.ts';

/** Returns the workspace and environment in which a caller's transactions run. */
export function tenantOf({ workspace, environment }: Caller): Tenant {
  return { workspace, environment };
}
