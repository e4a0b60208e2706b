import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';
import { limitFaults, Limits, type Limit } from './limits.ts';

/** The upper limit of all authority in an environment of a workspace. No authority exceeds it. */
export const ceilingKind = defineKind({
  kind: 'ceiling',
  prefix: prefixes.ceiling,
  schema: Closed({ limits: Limits }),
  keyOf: () => 'workspace',
  check: async (_em, { limits }) => limitFaults(limits, '/limits'),
});

/** Returns the limits of the active ceiling. Returns no limits if there is no active ceiling. */
export async function ceilingOf(em: Em, tenant: Tenant): Promise<Limit[]> {
  const [ceiling] = await inForce(em, ceilingKind, tenant);
  return ceiling?.body.limits ?? [];
}
