import { request } from 'undici';
import { pino } from 'pino';
import { appendAudits } from '#lib/audit/audit.write.ts';
import { webhookKey } from '#lib/core/encryption.ts';
import type { Orm, Tenant } from '#lib/database/base.ts';
import { inPlatform, inTenant, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { openSender } from '#lib/events/webhook/sender.ts';
import { insertWebhook } from '#lib/events/webhook/webhook.write.ts';
import { webhookDelivery } from '#workers/periodic/deliver-webhooks.ts';
import { placeAuditEntries } from '#workers/periodic/place-audit-entries.ts';
import { buildTenancy } from '../../support/build.ts';
import { auditEvent } from '../../support/event.ts';
import { loopback, openReceiver, type Receiver } from '../../support/webhook.ts';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow } from '../rounds.ts';

const MESSAGES = { full: 2_000, tiny: 24 };
const ROUNDS = { full: 5, tiny: 1 };
const WEBHOOKS = 8;
/** The number of deliveries that a worker has in flight for each webhook. */
const AT_ONCE = 64;

/**
 * Measures webhook deliveries, compared with plain POST requests with the same bodies. Each delivery is
 * claimed, signed, sent and settled.
 */
export async function webhookRows({ size, cluster, notify }: BenchContext): Promise<Row[]> {
  const ownerUrl = await cluster.freshDatabase('assay_bench_webhooks');
  const worker = openOrm(roleUrl(ownerUrl, 'worker'), 10);
  const operator = openOrm(roleUrl(ownerUrl, 'operator'), 2);
  const receiver = await openReceiver();
  const sender = openSender(loopback);
  const key = webhookKey(undefined, new URL(roleUrl(ownerUrl, 'worker')).password);
  const deliver = webhookDelivery({ orm: worker, sender, key, log: pino({ level: 'silent' }) });
  try {
    const { workspace, environment, person } = await buildTenancy({ orm: () => operator });
    const tenant: Tenant = { workspace, environment };
    await inPlatform(operator, async (em) => {
      for (let each = 0; each < WEBHOOKS; each++) {
        const wanted = {
          url: receiver.url,
          types: [],
          format: 'json',
          description: undefined,
          by: person,
        } as const;
        insertWebhook(em, tenant, { ...wanted, now: new Date() }, key);
      }
    });
    const count = MESSAGES[size];
    const figures = await interleave(ROUNDS[size], {
      subject: async () => {
        await publish(worker, tenant, count / WEBHOOKS);
        return rate(receiver, count, async () => {
          for (let sent = 0; sent < count;) sent += await deliver();
        });
      },
      peer: () => rate(receiver, count, () => post(receiver.url, count)),
    });
    notify('webhooks measured');
    const note = `${WEBHOOKS} webhooks of one receiver; peer: the same number of posts with undici, ${AT_ONCE} at once`;
    const about = { bench: 'trust', case: 'webhook deliveries', unit: '/s', note };
    return [ratioRow(about, figures, null)];
  } finally {
    await sender.close();
    await receiver.close();
    await worker.close();
    await operator.close();
  }
}

async function publish(worker: Orm, tenant: Tenant, count: number): Promise<void> {
  await inTenant(worker, tenant, (em) =>
    appendAudits(
      em,
      Array.from({ length: count }, () => auditEvent()),
    ),
  );
  await placeAuditEntries(worker);
}

async function rate(receiver: Receiver, count: number, send: () => Promise<void>): Promise<number> {
  receiver.received.length = 0;
  const began = performance.now();
  await send();
  const seconds = (performance.now() - began) / 1_000;
  if (receiver.received.length !== count) throw new Error(`${receiver.received.length} of ${count} arrived`);
  return count / seconds;
}

async function post(url: string, count: number): Promise<void> {
  const body = JSON.stringify({ filler: 'x'.repeat(600) });
  let next = 0;
  const one = async () => {
    while (next < count) {
      next += 1;
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}
