import type { Em, Tenant } from '#lib/database/base.ts';
import type { BatchState } from './batch-states.ts';
import { TradeConfirmation } from '../evidence/execution-evidence.entity.ts';
import { BatchOrder, OrderBatch } from './order-batch.entity.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

export type BatchQuestion = {
  state?: BatchState | undefined;
  portfolio?: string | undefined;
  since?: Date | undefined;
  after?: string | undefined;
  limit: number;
};

/** Returns the order batches of the tenant of `em`, newest first. */
export function listBatches(
  em: Em,
  { state, portfolio, since, after, limit }: BatchQuestion,
): Promise<OrderBatch[]> {
  return em.find(
    OrderBatch,
    {
      ...(after ? { uid: { $lt: after } } : {}),
      ...(state ? { state } : {}),
      ...(portfolio ? { portfolioUid: portfolio } : {}),
      ...(since ? { createdAt: { $gte: since } } : {}),
    },
    { orderBy: { uid: 'desc' }, limit },
  );
}

export const batchUnknown = 'The order batch does not exist.';

/** Returns the workspace and environment of a batch of any tenant. */
export function placeOfBatch(em: Em, uid: string): Promise<Tenant | undefined> {
  return placeOfRecord(em, OrderBatch, uid);
}

export type ConfirmedBatch = { batch: OrderBatch; confirmations: TradeConfirmation[] };

/** Returns the batches that `listBatches` returns, newest first, each with its accepted confirmations. */
export async function listConfirmedBatches(em: Em, question: BatchQuestion): Promise<ConfirmedBatch[]> {
  const batches = await listBatches(em, question);
  const confirmations = await confirmationsOf(
    em,
    batches.map(({ uid }) => uid),
  );
  return batches.map((batch) => ({ batch, confirmations: confirmations.get(batch.uid) ?? [] }));
}

export type WholeBatch = ConfirmedBatch & { orders: BatchOrder[] };

/** Returns a batch with its orders, in file order, and its confirmations. */
export async function readBatch(em: Em, uid: string): Promise<WholeBatch | undefined> {
  const batch = await em.findOne(OrderBatch, { uid });
  if (!batch) return undefined;
  const orders = await em.find(BatchOrder, { batchUid: uid }, { orderBy: { uid: 'asc' } });
  const confirmations = await confirmationsOf(em, [uid]);
  return { batch, orders, confirmations: confirmations.get(uid) ?? [] };
}

async function confirmationsOf(
  em: Em,
  batches: readonly string[],
): Promise<Map<string, TradeConfirmation[]>> {
  const found = await em.find(
    TradeConfirmation,
    { batchUid: [...batches], isRefused: false },
    { orderBy: { uid: 'desc' } },
  );
  return Map.groupBy(found, ({ batchUid }) => batchUid);
}
