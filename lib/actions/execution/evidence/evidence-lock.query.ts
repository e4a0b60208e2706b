import { tenantOf, type Em } from '#lib/database/base.ts';
import { lockBatch } from '../batch/batch-lock.query.ts';
import { CustodyObservation } from './execution-evidence.entity.ts';
import type { OrderBatch } from '../batch/order-batch.entity.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

/**
 * Locks the batch of a submitted observation. If an observation with the same reference is already stored for
 * another batch, locks that batch too. The batches are locked in the order of their uids. Every submission
 * locks its reference first and then the batches, so that no deadlock can occur. Returns the batch that the
 * observation is submitted for.
 */
export async function lockForObservation(
  em: Em,
  uid: string,
  { custodian, reference: observationReference }: { custodian: string; reference: string },
): Promise<OrderBatch | null> {
  await lockEvidence(em, ['observation', custodian, observationReference]);
  const known = await em.findOne(CustodyObservation, { custodian, observationReference });
  let found: OrderBatch | null = null;
  for (const each of [...new Set([uid, known?.batchUid ?? uid])].toSorted()) {
    const batch = await lockBatch(em, each);
    if (each === uid) found = batch;
  }
  return found;
}

/**
 * Locks the reference of evidence, or another name built from several parts, in the tenant of `em` until the
 * transaction ends.
 */
export async function lockEvidence(em: Em, name: readonly string[]): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const key = JSON.stringify(['evidence', workspace, environment, ...name]);
  await acquireNamedLock(em, key);
}
