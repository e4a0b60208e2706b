import { LockMode } from '@mikro-orm/core';
import { isUid } from '#lib/core/id.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { admitRuns } from '#lib/pipeline/admission.query.ts';
import { cancelRuns } from '#lib/pipeline/bulk-runs.write.ts';
import { ForecastBatch } from './forecast-batch.entity.ts';
import { listBatches, openRuns, type CountedBatch } from './forecast-batch.write.ts';
import { forecastsRun } from './forecasts.run.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

type BatchCancelling = {
  uid: string;
  requestId: string;
  /** Throws if the current state of the batch differs from the state that the caller expected. */
  requireCurrent(batch: CountedBatch): void;
};

type BatchVerdict = { ok: true } | { ok: false; code: 'batch_unknown' };

/** Cancels the unfinished forecasts of a batch. Repeating the command changes nothing. */
export const cancelForecasts = defineCommand<BatchCancelling>()({
  find: (em, { uid }) => placeOfRecord(em, ForecastBatch, uid),
  unknown: 'batch_unknown',
  lock: async (em, { uid }) =>
    isUid(uid) ? em.findOne(ForecastBatch, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null,
  async facts(em, batch, { requireCurrent }) {
    const [seen] = batch ? await listBatches(em, { uid: batch.uid, limit: 1 }) : [];
    if (seen) requireCurrent(seen);
    return batch;
  },
  decide: (batch): BatchVerdict => (batch ? { ok: true } : { ok: false, code: 'batch_unknown' }),
  async write(em, batch, _verdict, { actor, now, place, input: { uid, requestId } }) {
    const cancelled = await cancelRuns(em, await openRuns(em, uid), { actor, requestId, now });
    const admitted = await admitRuns(em, forecastsRun.queue, place.workspace);
    if (cancelled.length > 0) batch!.cancelledAt ??= now;
    await em.flush();
    return { result: { uid, admitted } };
  },
  // `cancelRuns` writes one audit entry per run, so the batch has no entry of its own.
  entry: () => undefined,
  refusals: { batch_unknown: 'The batch of forecasts does not exist.' },
});
