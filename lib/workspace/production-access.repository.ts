import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { Application } from './application.entity.ts';
import { ProductionAccess } from './production-access.entity.ts';
import {
  decideProductionAccess,
  type ProductionAccessEvent,
  type ProductionAccessVerdict,
} from './production-access.ts';

/**
 * Locks an application, asks the rule about its production access, and writes what it says, in the caller's
 * transaction. For operators: it looks into all workspaces.
 */
export async function changeProductionAccess(
  em: Em,
  application: Application,
  event: ProductionAccessEvent,
  person: string,
  now: Date,
): Promise<ProductionAccessVerdict> {
  await em.lock(application, LockMode.PESSIMISTIC_WRITE);
  const access = await em.findOne(ProductionAccess, { applicationUid: application.uid }, { filters: false });
  const facts = {
    state: access?.state ?? ('none' as const),
    requestedBy: access?.requestedByUid,
    requestedAt: access?.requestedAt,
  };
  const verdict = decideProductionAccess(facts, event, person, now);
  if (!verdict.ok) return verdict;
  if (verdict.next === 'requested') requestAgain(em, application, access, person, now);
  else if (verdict.next === 'approved') {
    em.assign(access!, { state: 'approved', approvedByUid: person, approvedAt: now });
  } else em.assign(access!, { state: 'revoked', revokedByUid: person, revokedAt: now });
  return verdict;
}

function requestAgain(
  em: Em,
  { uid, workspaceUid, environment }: Application,
  access: ProductionAccess | null,
  person: string,
  now: Date,
): void {
  const request = {
    state: 'requested' as const,
    requestedByUid: person,
    requestedAt: now,
    approvedByUid: null,
    approvedAt: null,
    revokedByUid: null,
    revokedAt: null,
  };
  if (access) em.assign(access, request);
  else em.create(ProductionAccess, { applicationUid: uid, workspaceUid, environment, ...request });
}
