import { isUid } from '#lib/core/id.ts';
import { listBatches, type CountedBatch, type ListedItem } from '#lib/forecasting/forecast-batch.write.ts';
import { batchState } from '#lib/forecasting/forecast-batch.ts';
import { presentProblem } from '../../runs.ts';
import type { Services } from '../../services.ts';

export const BATCHES = '/planning/forecasts/batches';
export const UNKNOWN_BATCH = 'This batch of forecasts does not exist.';

export type PresentedBatch = ReturnType<typeof presentBatch>;

export async function readBatch(services: Services, uid: string): Promise<PresentedBatch | undefined> {
  if (!isUid(uid)) return undefined;
  const [batch] = await services.query(listBatches, { uid, limit: 1 });
  return batch && presentBatch(batch);
}

/** Whether a batch has ended. A batch that does not exist counts as ended, because there is nothing to wait for. */
export function isOver(batch: PresentedBatch | undefined): boolean {
  return batch === undefined || batch.state === 'finished' || batch.state === 'cancelled';
}

export function presentBatch(batch: CountedBatch) {
  return {
    uid: batch.uid,
    ...batchState(batch.counts, batch.cancelledAt !== null),
    items: batch.items,
    counts: batch.counts,
    options: batch.options,
    reason: batch.reason,
    request_id: batch.requestId,
    created_at: batch.createdAt,
    cancelled_at: batch.cancelledAt,
  };
}

export function presentItem(item: ListedItem & { requestId: string }) {
  return {
    position: item.position,
    uid: item.runUid,
    metric: item.metric,
    company_id: item.companyId,
    horizon: item.horizon,
    state: item.state,
    result_hash: item.resultHash,
    problem: presentProblem(item),
  };
}
