import type { Em } from '#lib/database/base.ts';
import { CustodyObservation, TradeConfirmation } from './execution-evidence.entity.ts';
import { isIndependent, type CustodySource } from './independence.ts';

export type ObservationQuestion = { batch?: string | undefined; after?: string | undefined; limit: number };

/** Custody observations of the em's tenant, newest first, without what they came to. */
export function listObservations(
  em: Em,
  { batch, after, limit }: ObservationQuestion,
): Promise<CustodyObservation[]> {
  return em.find(
    CustodyObservation,
    { ...(after ? { uid: { $lt: after } } : {}), ...(batch ? { batchUid: batch } : {}) },
    { orderBy: { uid: 'desc' }, limit, exclude: ['reconciliation'] },
  ) as Promise<CustodyObservation[]>;
}

export function findObservation(em: Em, uid: string): Promise<CustodyObservation | null> {
  return em.findOne(CustodyObservation, { uid });
}

/** Whether a batch has a confirmation that a custody source is not independent of. */
export async function isDependentSource(em: Em, batch: string, custody: CustodySource): Promise<boolean> {
  const confirmations = await em.find(TradeConfirmation, { batchUid: batch });
  return confirmations.some((each) => !isIndependent(custody, each));
}
