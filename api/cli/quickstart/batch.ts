import { systemClock, utcDate } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { readOrders, type BatchFile } from '#lib/actions/execution/batch-file.ts';
import { changeBatch } from '#lib/actions/execution/change-batch.command.ts';
import { importBatch } from '#lib/actions/execution/import-batch.command.ts';
import { recordConfirmation } from '#lib/actions/execution/record-confirmation.command.ts';
import { BatchOrder } from '#lib/actions/execution/order-batch.entity.ts';
import type { InputOf, TenantCommand } from '#lib/governance/command.ts';
import { carryOut } from '#lib/governance/govern.ts';
import { controlKinds } from '#lib/actions/control/kinds.ts';
import { refusalOf } from '../shell/govern.ts';
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
  const { batch } = (await imported(em, makers, `SAMPLE${suffix}`)).result;
  for (const [event, by] of [
    ['evaluate', grantor],
    ['approve', controller],
    ['release', releaser],
  ] as const) {
    await step(em, makers, by, changeBatch, { uid: batch.uid, event });
  }
  const made = await em.find(
    BatchOrder,
    { batchUid: batch.uid },
    { filters: false, orderBy: { uid: 'asc' } },
  );
  const source_reference = `CONF-SAMPLE${suffix}`;
  const offered = {
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
  };
  await step(em, makers, grantor, recordConfirmation, { batch: batch.uid, offered });
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

function imported(em: Em, makers: Makers, reference: string) {
  const file: BatchFile['orders'] = orders.map(({ isin, side, quantity, limit_price }) => ({
    instrument: { isin },
    side,
    quantity,
    order_type: 'limit',
    limit_price,
    currency: CURRENCY,
    account_reference: 'SAMPLE-4821',
    time_in_force: 'day',
    settlement_date: utcDate(systemClock.now()),
  }));
  const read = readOrders(file);
  if (!read.ok) throw new Refusal('sample_invalid', JSON.stringify(read.faults));
  return step(em, makers, makers.grantor, importBatch, {
    ...makers.tenant,
    reference,
    portfolio: 'prt_sample',
    orders: read.orders,
    legacy: null,
  });
}

/** Carries out a command as one of the persons of the sample. */
async function step<C extends TenantCommand>(
  em: Em,
  { tenant: place }: Makers,
  by: string,
  command: C,
  input: InputOf<C>,
) {
  const actor = { kind: 'person' as const, uid: by };
  // The place of a tenant's command is a tenant, which the compiler does not see through the parameter.
  const done = await carryOut(em, command, input, { actor, place, clock: systemClock } as never);
  if (!done.ok) throw refusalOf(done);
  return done;
}
