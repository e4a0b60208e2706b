import type { Caller } from '#lib/core/operation.ts';
import type { Tenant } from '#lib/database/base.ts';

/** Returns the workspace and environment that a caller's transactions work for. */
export function tenantOf({ workspace, environment }: Caller): Tenant {
  return { workspace, environment };
}
