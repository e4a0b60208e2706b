import type { Em, Tenant } from '#lib/database/base.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { scanRecords } from '#lib/governance/governed/governed-record.query.ts';
import { Person } from '#lib/access/person.entity.ts';
import { Delegation, DelegationApproval } from '../delegations/delegation.entity.ts';
import { authorityKind } from './authority.ts';
import type { AuthorityBody } from './authority-body.ts';
import { membersOf, roleKind } from './role.ts';

export const authorityStatuses = [
  'active',
  'scheduled',
  'suspended',
  'expired',
  'revoked',
  'superseded',
] as const;
export type AuthorityStatus = (typeof authorityStatuses)[number];

export type AuthorityFilter = {
  status?: AuthorityStatus | undefined;
  /** The grantee to select: the uid of a person, or the key of a role. */
  grantee?: string | undefined;
  action?: string | undefined;
  currency?: string | undefined;
};

export type ListedAuthority = {
  record: GovernedRecord;
  body: AuthorityBody;
  status: AuthorityStatus;
  grantee: { kind: 'user' | 'role'; uid: string; name: string; members: number | null };
  /** The number of active delegations that were approved under this authority. */
  supports: number;
};

type Members = ReadonlyMap<string, readonly string[]>;

/**
 * Returns those authorities of a tenant that are or were active, newest first. A page begins after the record with the
 * uid `after`.
 */
export async function listAuthorities(
  em: Em,
  { tenant, now, filter }: { tenant: Tenant; now: Date; filter: AuthorityFilter },
  page: { after?: string | undefined; limit: number },
): Promise<ListedAuthority[]> {
  const members = await membersOf(em, tenant, now);
  const states = ['active', 'suspended', 'ended'] as const;
  return scanRecords(em, authorityKind, { states }, page, async (record) => {
    const body = record.body as AuthorityBody;
    const status = statusOf(record, body, now);
    if (!isWanted(body, status, filter)) return undefined;
    const grantee = await granteeOf(em, body, members);
    return { record, body, status, grantee, supports: await countSupported(em, record) };
  });
}

function isWanted(body: AuthorityBody, status: AuthorityStatus, filter: AuthorityFilter): boolean {
  const { grantee, action, currency } = filter;
  const holder = body.grantee.kind === 'user' ? body.grantee.person_uid : body.grantee.role;
  return (
    (!filter.status || status === filter.status) &&
    (!grantee || holder === grantee) &&
    (!action || body.actions.includes(action)) &&
    (!currency || body.limits.some((limit) => limit.currency === currency))
  );
}

function statusOf(
  { state, endReason }: GovernedRecord,
  { valid_from, valid_until }: AuthorityBody,
  now: Date,
): AuthorityStatus {
  if (state === 'ended') return endReason === 'superseded' ? 'superseded' : 'revoked';
  if (new Date(valid_until) <= now) return 'expired';
  if (state === 'suspended') return 'suspended';
  return new Date(valid_from) > now ? 'scheduled' : 'active';
}

async function countSupported(em: Em, { uid }: GovernedRecord): Promise<number> {
  const approved = await em.find(DelegationApproval, { authorityUid: uid, state: 'counted' });
  const delegations = approved.map(({ delegationUid }) => delegationUid);
  return em.count(Delegation, { uid: { $in: delegations }, state: 'activated' });
}

async function granteeOf(
  em: Em,
  { grantee }: AuthorityBody,
  members: Members,
): Promise<ListedAuthority['grantee']> {
  if (grantee.kind === 'user') {
    const { person_uid: uid } = grantee;
    const person = await em.findOne(Person, { uid });
    return { kind: 'user', uid, name: person?.name ?? '', members: null };
  }
  const { role: key } = grantee;
  const role = await em.findOne(GovernedRecord, { kind: roleKind.kind, key, state: 'active' });
  const count = members.get(key)?.length ?? 0;
  return { kind: 'role', uid: role?.uid ?? key, name: role?.name ?? key, members: count };
}
