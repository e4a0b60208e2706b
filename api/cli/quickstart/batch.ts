import { systemClock } from '#lib/core/clock.ts';
import { controlKinds } from '#lib/actions/control/kinds.ts';
import { writeSampleBatch } from '#lib/actions/sample/batch.command.ts';
import { sampleOrders } from '#lib/actions/sample/orders.ts';
import { ensureInForce, type Hands, type Makers } from './sample.ts';

const limit = [{ currency: 'EUR', limit_minor: 10_000_000 }];

/** A batch of orders with the rules that it is checked by, which waits for custody. */
export async function sampleBatch(
  hands: Hands,
  makers: Makers,
  { releaser, suffix }: { releaser: string; suffix: string },
) {
  await ensureInForce(hands, makers, controlKinds['pre-trade-rules']!, {
    key: 'default',
    name: 'Rules of the sample',
    body: {
      max_orders: 100,
      gross: limit,
      per_order: limit,
      known_instruments: sampleOrders.map(({ isin }) => ({ isin })),
      restricted_instruments: [],
      valid_minutes: 60,
    },
  });
  await ensureInForce(hands, makers, controlKinds['settlement-calendar']!, {
    key: 'default',
    name: 'Every day settles',
    body: { from: '2020-01-01', to: '2199-12-31', weekend: [], holidays: [] },
  });
  const batch = { ...makers, releaser, suffix, now: systemClock.now() };
  return hands.query(makers.tenant, writeSampleBatch, batch);
}
