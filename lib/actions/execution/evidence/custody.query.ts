import type { Em } from '#lib/database/base.ts';
import { CustodyObservation, TradeConfirmation } from './execution-evidence.entity.ts';
import { isIndependent, type CustodySource } from './independence.ts';

export type ObservationQuestion = { batch?: string | undefined; after?: string | undefined; limit: number };

/** Returns the custody observations of the tenant of `em`, newest first, without their reconciliation. */
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

/** Whether the custody source is also the source or the broker of a confirmation of the batch. */
export async function isDependentSource(em: Em, batch: string, custody: CustodySource): Promise<boolean> {
  const confirmations = await em.find(TradeConfirmation, { batchUid: batch });
  return confirmations.some((each) => !isIndependent(custody, each));
}
