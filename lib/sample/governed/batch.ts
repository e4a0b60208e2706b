import { systemClock, utcDate } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { sha256 } from '#lib/core/seal.ts';
import { readOrders, type BatchFile } from '#lib/actions/execution/batch/batch-file.ts';
import { readBatch } from '#lib/actions/execution/batch/batch.query.ts';
import { changeBatch } from '#lib/actions/execution/batch/change-batch.command.ts';
import { importBatch } from '#lib/actions/execution/batch/import-batch.command.ts';
import { recordConfirmation } from '#lib/actions/execution/evidence/record-confirmation.command.ts';
import { sampleOrders } from './orders.ts';
import { governWith, person, type SampleOperators } from '../sample-operators.ts';
import { type RecordMakers } from './record-makers.ts';

/**
 * Imports a batch of two orders that settle today. The release of the batch involves three persons. The batch is
 * confirmed and waits for custody evidence.
 */
export async function sampleBatch(
  operators: SampleOperators,
  { tenant, grantor, controller }: RecordMakers,
  { releaser, suffix }: { releaser: string; suffix: string },
) {
  const now = systemClock.now();
  const drafted = { ...tenant, reference: `SAMPLE${suffix}`, portfolio: 'prt_sample', legacy: null };
  const input = { ...drafted, orders: ordersOf(utcDate(now)) };
  const { batch } = (await governWith(operators, importBatch, input, person(grantor))).result;
  const { uid } = batch;
  await governWith(operators, changeBatch, { uid, event: 'evaluate' }, person(grantor));
  await governWith(operators, changeBatch, { uid, event: 'approve' }, person(controller));
  await governWith(operators, changeBatch, { uid, event: 'release' }, person(releaser));
  const { orders } = (await operators.query(tenant, readBatch, uid))!;
  const made = orders.map(({ orderHash, instrument, side, quantity, currency, settlementDate }, at) => ({
    order_hash: orderHash,
    instrument,
    side,
    quantity,
    currency,
    settlement_amount_minor: sampleOrders[at]!.amount,
    amount_scale: 2,
    settlement_date: settlementDate,
  }));
  const source_reference = `CONF-SAMPLE${suffix}`;
  const offered = {
    source_system: 'sample_broker_feed',
    source_reference,
    source_hash: sha256(source_reference),
    executing_broker: 'sample_broker',
    confirmed_at: now.toISOString(),
    lines: made.map(({ order_hash, quantity, currency, settlement_amount_minor, amount_scale }) => ({
      order_hash,
      quantity,
      currency,
      settlement_amount_minor,
      amount_scale,
    })),
  };
  await governWith(operators, recordConfirmation, { batch: uid, offered }, person(grantor));
  return { uid, orders: made };
}

function ordersOf(settlement_date: string) {
  const file: BatchFile['orders'] = sampleOrders.map(({ isin, side, quantity, limit_price, currency }) => ({
    instrument: { isin },
    side,
    quantity,
    order_type: 'limit',
    limit_price,
    currency,
    account_reference: 'SAMPLE-4821',
    time_in_force: 'day',
    settlement_date,
  }));
  const read = readOrders(file);
  if (!read.ok) throw new Refusal('sample_invalid', JSON.stringify(read.faults));
  return read.orders;
}
