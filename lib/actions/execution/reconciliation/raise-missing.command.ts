import { defineCommand } from '#lib/governance/command.ts';
import { isReleased } from '../batch/batch-states.ts';
import { placeOfBatch } from '../batch/batch.query.ts';
import { lockBatch } from '../batch/batch-lock.query.ts';
import { settleBatch } from './settlement.write.ts';

type Verdict = { ok: true } | { ok: false; code: 'batch_not_released' };

/**
 * Reconciles a released batch as of now. Raises an exception for observations that are missing according to
 * the settlement calendar.
 */
export const raiseMissing = defineCommand<{ uid: string }>()({
  find: (em, { uid }) => placeOfBatch(em, uid),
  unknown: 'batch_unknown',
  lock: async (em, { uid }) => (await lockBatch(em, uid))!,
  facts: async (_em, batch) => batch,
  decide: (batch): Verdict =>
    isReleased(batch.state) ? { ok: true } : { ok: false, code: 'batch_not_released' },
  async write(em, batch, _verdict, { now }) {
    const before = batch.progress.exceptions.open;
    const consequences = await settleBatch(em, batch, now);
    return { result: { isChanged: batch.progress.exceptions.open !== before }, consequences };
  },
  entry: () => undefined,
  refusals: {
    batch_unknown: 'The order batch does not exist.',
    batch_not_released: 'The batch was not released for execution.',
  },
});
