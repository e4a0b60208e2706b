import { systemClock, utcDate } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { readOrders, type BatchFile } from '#lib/actions/execution/batch-file.ts';
import { changeBatch, importBatch, type BatchChange } from '#lib/actions/execution/batch.repository.ts';
import { recordConfirmation } from '#lib/actions/execution/confirmation.repository.ts';
import { BatchOrder, type OrderBatch } from '#lib/actions/execution/order-batch.entity.ts';
import { settleBatch } from '#lib/actions/execution/settlement.repository.ts';
import { controlKinds } from '#lib/actions/control/kinds.ts';
import { record } from '../record.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { ensureInForce, type Makers } from './sample.ts';

const orders = [
  { isin: 'DE0007164600', side: 'buy', quantity: '100', limit_price: '180.50', amount: 1_805_000 },
  { isin: 'NL0010273215', side: 'sell', quantity: '20', limit_price: '650.25', amount: 1_300_500 },
] as const;
const CURRENCY = 'EUR';
const limit = [{ currency: CURRENCY, limit_minor: 10_000_000 }];

/** A batch of two orders that settle today: released by three persons, confirmed, and waiting for custody. */
export async function sampleBatch(
  em: Em,
  makers: Makers,
  { releaser, suffix }: { releaser: string; suffix: string },
) {
  const { grantor, controller } = makers;
  await ensureInForce(em, makers, controlKinds['pre-trade-rules']!, {
    key: 'default',
    name: 'Rules of the sample',
    body: {
      max_orders: 100,
      gross: limit,
      per_order: limit,
      known_instruments: orders.map(({ isin }) => ({ isin })),
      restricted_instruments: [],
      valid_minutes: 60,
    },
  });
  await ensureInForce(em, makers, controlKinds['settlement-calendar']!, {
    key: 'default',
    name: 'Every day settles',
    body: { from: '2020-01-01', to: '2199-12-31', weekend: [], holidays: [] },
  });
  const now = systemClock.now();
  const { batch } = await imported(em, makers, `SAMPLE${suffix}`, now);
  for (const [event, by] of [
    ['evaluate', grantor],
    ['approve', controller],
    ['release', releaser],
  ] as const) {
    await step(em, makers, batch, { event, by, now });
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
        settlement_amount_minor: orders[at]!.amount,
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
      settlement_amount_minor: orders[at]!.amount,
      amount_scale: 2,
      settlement_date: settlementDate,
    })),
  };
}

async function imported(em: Em, { tenant, grantor }: Makers, reference: string, now: Date) {
  const file: BatchFile['orders'] = orders.map(({ isin, side, quantity, limit_price }) => ({
    instrument: { isin },
    side,
    quantity,
    order_type: 'limit',
    limit_price,
    currency: CURRENCY,
    account_reference: 'SAMPLE-4821',
    time_in_force: 'day',
    settlement_date: utcDate(now),
  }));
  const read = readOrders(file);
  if (!read.ok) throw new Refusal('sample_invalid', JSON.stringify(read.faults));
  const made = await importBatch(em, {
    tenant,
    reference,
    portfolio: 'prt_sample',
    orders: read.orders,
    legacy: null,
    by: grantor,
    now,
  });
  if (!made.ok) throw new Refusal(made.code, 'the batch of the sample');
  await record(em, {
    ...tenant,
    op: 'batch.imported',
    by: grantor,
    subject: { type: 'order_batch', uid: made.batch.uid },
  });
  await settleBatch(em, made.batch, { actor: { kind: 'person', uid: grantor }, now });
  return made;
}

const ops = { evaluate: 'batch.evaluated', approve: 'batch.approved', release: 'batch.released' } as const;
type Step = BatchChange & { event: keyof typeof ops };

async function step(em: Em, { tenant }: Makers, { uid }: OrderBatch, change: Step): Promise<void> {
  const { event, by, now } = change;
  const changed = await changeBatch(em, uid, change);
  if (!changed.ok) throw new Refusal(changed.code, changed.detail || event);
  const { authority } = changed;
  const details = {
    from: changed.from,
    to: changed.batch.state,
    ...(authority ? { authority_uid: authority } : {}),
  };
  await record(em, { ...tenant, op: ops[event], by, subject: { type: 'order_batch', uid }, details });
  await settleBatch(em, changed.batch, { actor: { kind: 'person', uid: by }, now });
}
