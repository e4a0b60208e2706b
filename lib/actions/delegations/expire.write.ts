import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { Delegation, DelegationApproval } from './delegation.entity.ts';
import { nodeDeadline } from './quorum.ts';
import { Reservation } from './reservation.entity.ts';

/**
 * Returns the tenants with a draft, an active delegation, a suspended delegation past its end, or a reservation without
 * an outcome whose lease has expired. Some of these tenants may have nothing to end: only `expireDue` and
 * `suspendLapsed` decide that, in a transaction of the tenant.
 */
export async function tenantsWithDue(em: Em, now: Date): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from delegation
      where state in ('draft', 'activated') or state = 'suspended' and valid_until <= ${now}
    union select workspace_uid, environment from reservation where state = 'reserved' and lease_until <= ${now}
  `.execute(em.getKysely());
  return rows;
}

/**
 * Ends those drafts, delegations and reservations of one tenant that have passed their time limit. Runs in the
 * transaction of the tenant. Drafts and delegations past their end expire. A draft whose open node reached its timeout
 * is rejected. A reservation without an outcome at the end of its lease becomes stuck: its amount stays reserved.
 * Returns the number of changes.
 */
export async function expireDue(em: Em, tenant: Tenant, now: Date): Promise<number> {
  await lockControl(em, tenant.workspace, 'share');
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const ended: {
    type: string;
    uid: string;
    op: 'delegation.expired' | 'delegation.rejected' | 'reservation.stuck';
  }[] = [];
  const open = await em.find(
    Delegation,
    { $or: [{ state: 'draft' }, { state: { $in: ['activated', 'suspended'] }, validUntil: { $lte: now } }] },
    { orderBy: { uid: 'asc' }, lockMode },
  );
  for (const delegation of open) {
    const isOver = delegation.validUntil <= now || delegation.draftExpiresAt <= now;
    if (isOver) {
      em.assign(delegation, { state: 'expired', endedAt: now });
      ended.push({ type: 'delegation', uid: delegation.uid, op: 'delegation.expired' });
    } else if (await isTimedOut(em, delegation, now)) {
      em.assign(delegation, { state: 'rejected', endedAt: now, stateReason: 'node_timeout' });
      ended.push({ type: 'delegation', uid: delegation.uid, op: 'delegation.rejected' });
    }
  }
  const unknown = await em.find(Reservation, { state: 'reserved', leaseUntil: { $lte: now } }, { lockMode });
  for (const reservation of unknown) {
    em.assign(reservation, { state: 'stuck', exception: 'outcome_unknown' });
    ended.push({ type: 'reservation', uid: reservation.uid, op: 'reservation.stuck' });
  }
  await em.flush();
  for (const { type, uid, op } of ended) {
    await appendAudit(em, { at: now, op, actor: { kind: 'system' }, subject: { type, uid } }, tenant);
  }
  return ended.length;
}

async function isTimedOut(em: Em, { uid, nodes, createdAt }: Delegation, now: Date): Promise<boolean> {
  const votes = await em.find(DelegationApproval, { delegationUid: uid, state: 'counted' });
  const deadline = nodeDeadline(nodes, votes, createdAt);
  return deadline !== undefined && deadline <= now;
}
