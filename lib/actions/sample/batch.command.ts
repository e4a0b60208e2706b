import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { AuditEvent } from '#lib/audit/entry.ts';
import { utcDate } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { readOrders, type BatchFile } from '../execution/batch-file.ts';
import { changeBatch, importBatch, type BatchChange } from '../execution/batch.repository.ts';
import { recordConfirmation } from '../execution/confirmation.repository.ts';
import { BatchOrder, type OrderBatch } from '../execution/order-batch.entity.ts';
import { settleBatch } from '../execution/settlement.repository.ts';
import { sampleOrders } from './orders.ts';

export type SampleBatch = {
  tenant: Tenant;
  /** The persons who evaluate, approve and release the batch. */
  grantor: string;
  controller: string;
  releaser: string;
  suffix: string;
  now: Date;
};

/** Imports a batch of two orders that settle today: released by three persons, confirmed, and waiting for custody. */
export async function writeSampleBatch(em: Em, sample: SampleBatch) {
  const { grantor, controller, releaser, suffix, now } = sample;
  const batch = await importSample(em, sample);
  for (const [event, by] of [
    ['evaluate', grantor],
    ['approve', controller],
    ['release', releaser],
  ] as const) {
    await step(em, sample, batch, { event, by, now });
  }
  const made = await em.find(
    BatchOrder,
    { batchUid: batch.uid },
    { filters: false, orderBy: { uid: 'asc' } },
  );
  const source_reference = `CONF-SAMPLE${suffix}`;
  const confirmed = await recordConfirmation(
    em,
    batch.uid,
    {
      source_system: 'sample_broker_feed',
      source_reference,
      source_hash: sha256(source_reference),
      executing_broker: 'sample_broker',
      confirmed_at: now.toISOString(),
      lines: made.map(({ orderHash, quantity, currency }, at) => ({
        order_hash: orderHash,
        quantity,
        currency,
        settlement_amount_minor: sampleOrders[at]!.amount,
        amount_scale: 2,
      })),
    },
    grantor,
    { actor: { kind: 'person', uid: grantor }, now },
  );
  if (!confirmed.ok) throw new Refusal(confirmed.code, 'the confirmation of the sample');
  return {
    uid: batch.uid,
    orders: made.map(({ orderHash, instrument, side, quantity, currency, settlementDate }, at) => ({
      order_hash: orderHash,
      instrument,
      side,
      quantity,
      currency,
      settlement_amount_minor: sampleOrders[at]!.amount,
      amount_scale: 2,
      settlement_date: settlementDate,
    })),
  };
}

async function importSample(em: Em, sample: SampleBatch): Promise<OrderBatch> {
  const { tenant, grantor, suffix, now } = sample;
  const file: BatchFile['orders'] = sampleOrders.map(({ isin, side, quantity, limit_price, currency }) => ({
    instrument: { isin },
    side,
    quantity,
    order_type: 'limit',
    limit_price,
    currency,
    account_reference: 'SAMPLE-4821',
    time_in_force: 'day',
    settlement_date: utcDate(now),
  }));
  const read = readOrders(file);
  if (!read.ok) throw new Refusal('sample_invalid', JSON.stringify(read.faults));
  const made = await importBatch(em, {
    tenant,
    reference: `SAMPLE${suffix}`,
    portfolio: 'prt_sample',
    orders: read.orders,
    legacy: null,
    by: grantor,
    now,
  });
  if (!made.ok) throw new Refusal(made.code, 'the batch of the sample');
  await record(em, sample, made.batch, { op: 'batch.imported', by: grantor });
  return made.batch;
}

const ops = { evaluate: 'batch.evaluated', approve: 'batch.approved', release: 'batch.released' } as const;
type Step = BatchChange & { event: keyof typeof ops };

async function step(em: Em, sample: SampleBatch, { uid }: OrderBatch, change: Step): Promise<void> {
  const { event, by } = change;
  const changed = await changeBatch(em, uid, change);
  if (!changed.ok) throw new Refusal(changed.code, changed.detail || event);
  const { authority } = changed;
  const details = {
    from: changed.from,
    to: changed.batch.state,
    ...(authority ? { authority_uid: authority } : {}),
  };
  await record(em, sample, changed.batch, { op: ops[event], by, details });
}

/** Writes the audit entry of a change of the batch, and what follows for its settlement. */
async function record(
  em: Em,
  { tenant, now }: SampleBatch,
  batch: OrderBatch,
  { op, by, details }: Pick<AuditEvent, 'op' | 'details'> & { by: string },
): Promise<void> {
  const actor = { kind: 'person' as const, uid: by };
  await em.flush();
  const subject = { type: 'order_batch', uid: batch.uid };
  await appendAudit(em, { op, at: now, actor, subject, details }, tenant);
  await settleBatch(em, batch, { actor, now });
}
