import type { Em, Tenant } from '#lib/database/orm.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { authorityKind, isGrantee, isInTime, type Authority } from '../control/authority.ts';
import { membersOf } from '../control/role.ts';
import { coveringAuthority, type AuthorityRefusal } from '../delegation/approval.ts';
import { uncoveredBatch, type BatchDecision } from './batch-authority.ts';

export type BatchAuthority =
  { ok: true; uid: string } | { ok: false; code: AuthorityRefusal; detail: string };

/** The authority by which a person decides about a batch now, or why there is none. */
export async function authorityFor(
  em: Em,
  tenant: Tenant,
  person: string,
  decision: BatchDecision,
  now: Date,
): Promise<BatchAuthority> {
  const members = await membersOf(em, tenant, now);
  const found = await em.find(
    GovernedRecord,
    {
      workspaceUid: tenant.workspace,
      environment: tenant.environment,
      kind: authorityKind.kind,
      state: { $in: ['active', 'suspended', 'ended'] },
    },
    { filters: false, refresh: true, orderBy: { uid: 'asc' } },
  );
  const held = (found as unknown as Authority[])
    .filter(({ body }) => isGrantee(body, person, members))
    .map(({ uid, state, body }) => ({
      uid,
      isLive: state === 'active' && isInTime(body, now),
      failed: uncoveredBatch(body, decision),
    }));
  const standing = coveringAuthority(held);
  if ('uid' in standing) return { ok: true, uid: standing.uid };
  const bounds = (standing.failed ?? []).map(
    ({ path, op, expected, actual }) =>
      `${path} ${op} ${JSON.stringify(expected)}, and is ${JSON.stringify(actual)}`,
  );
  return { ok: false, code: standing.code, detail: bounds.join('; ') };
}
