import { LockMode } from '@mikro-orm/core';

import { tenantOf, type Em } from '#lib/database/base.ts';
import { Obligation } from './obligation.entity.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

export type ObligationSource = Pick<Obligation, 'sourceSystem' | 'sourceReference'>;

/** Locks the reference of a source in the tenant of `em` until the transaction ends. */
export async function lockSource(em: Em, { sourceSystem, sourceReference }: ObligationSource): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const key = JSON.stringify(['obligation', workspace, environment, sourceSystem, sourceReference]);
  await acquireNamedLock(em, key);
}

/** Locks and returns the record of a source. Superseded records are ignored. */
export function findLive(em: Em, source: ObligationSource): Promise<Obligation | null> {
  return em.findOne(
    Obligation,
    { ...source, governanceState: { $ne: 'superseded' } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
}
