import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import { decrypt, webhookKey } from '#lib/core/encryption.ts';
import type { Log } from '#lib/core/log.ts';
import { networksOf } from '#lib/core/network-address.ts';
import { oneAtATime } from '#lib/core/one-at-a-time.ts';
import { inPlatform, inTenant, type Orm } from '#lib/database/orm.ts';
import { claimDue, type Claimed } from '#lib/events/webhook/claim.repository.ts';
import { cancelDelivery, settleAttempt } from '#lib/events/webhook/delivery.repository.ts';
import { contentTypeOf, messageOf } from '#lib/events/webhook/message.ts';
import { openSender, type Sender, type Sent } from '#lib/events/webhook/sender.ts';
import { signedHeaders } from '#lib/events/webhook/signature.ts';

/** How many messages are under way in a worker, and of them to one webhook. */
const MOST = 64;
const MOST_EACH = 8;
/** What ends at nearly the same time makes room together, so that not each message costs a look for the next. */
const GATHER_MS = 10;
/** A turn takes nothing new after this, so that the worker can end and housekeeping goes on. */
const TURN_MS = 5_000;
/** Longer than an attempt can take: then another worker sends what this one did not finish. */
const LEASE_MS = 60_000;

export type Delivery = {
  orm: Orm;
  sender: Sender;
  /** What the secrets of webhooks are encrypted with. */
  key: Buffer;
  log: Log;
  clock?: Clock;
  leaseMs?: number;
};

/**
 * Sends what is due to webhooks, while there is anything, and writes what came of it. A message is claimed before it is sent
 * and settled after it, so that one whose worker died between the two is sent again under the same id: at least once. A
 * turn that comes while another of this process is under way does nothing. Returns how many messages were sent.
 */
export function webhookDelivery(delivery: Delivery): () => Promise<number> {
  return oneAtATime(() => turn(delivery));
}

/** The delivery of webhooks as a worker is configured for it; the URL is that of its database role. */
export function openWebhookDelivery({
  config,
  databaseUrl,
  orm,
  log,
}: {
  config: Config;
  databaseUrl: string;
  orm: Orm;
  log: Log;
}): { deliver: () => Promise<number>; close: () => Promise<void> } {
  const sender = openSender(networksOf(config.WEBHOOK_NETWORKS));
  const key = webhookKey(config.WEBHOOK_KEY, decodeURIComponent(new URL(databaseUrl).password));
  return { deliver: webhookDelivery({ orm, sender, key, log }), close: sender.close };
}

async function turn(delivery: Delivery): Promise<number> {
  const end = performance.now() + TURN_MS;
  const underWay = new Map<string, number>();
  const tasks = new Set<Promise<void>>();
  let sent = 0;
  for (;;) {
    const isOpen = performance.now() < end && tasks.size < MOST;
    const claimed = isOpen ? await claim(delivery, MOST - tasks.size, underWay) : [];
    for (const each of claimed) {
      count(underWay, each.webhook, 1);
      const task = deliver(delivery, each)
        .catch((error: unknown) =>
          delivery.log.warn({ err: error, delivery: each.uid }, 'a delivery was not settled'),
        )
        .finally(() => {
          count(underWay, each.webhook, -1);
          tasks.delete(task);
        });
      tasks.add(task);
    }
    sent += claimed.length;
    if (tasks.size === 0) return sent;
    await Promise.race(tasks);
    await delay(GATHER_MS);
  }
}

function claim(
  { orm, clock = systemClock, leaseMs = LEASE_MS }: Delivery,
  most: number,
  underWay: Map<string, number>,
) {
  const now = clock.now();
  const leaseEndsAt = new Date(now.getTime() + leaseMs);
  return inPlatform(orm, (em) => claimDue(em, { now, leaseEndsAt, most, mostEach: MOST_EACH, underWay }));
}

async function deliver(delivery: Delivery, claimed: Claimed): Promise<void> {
  const { orm, clock = systemClock } = delivery;
  const { event } = claimed;
  if (!event) return inTenant(orm, claimed, (em) => cancelDelivery(em, claimed.uid, clock.now()));
  const sent = await send(delivery, claimed, event);
  const jitter = randomInt(1_001) / 1_000;
  const next = await inTenant(orm, claimed, (em) =>
    settleAttempt(em, claimed, sent, { now: clock.now(), jitter }),
  );
  const { uid, webhook, attempt } = claimed;
  const { status, error, durationMs } = sent;
  delivery.log.info(
    {
      delivery: uid,
      webhook,
      event: event.uid,
      attempt,
      status,
      failure: error,
      next,
      duration_ms: durationMs,
    },
    'webhook attempt',
  );
}

async function send(
  { sender, key, clock = systemClock }: Delivery,
  claimed: Claimed,
  event: NonNullable<Claimed['event']>,
): Promise<Sent> {
  const signers = signersOf(claimed, key);
  if (!signers) return { error: 'secret_unreadable', durationMs: 0 };
  const body = messageOf(event, claimed);
  const headers = {
    'content-type': contentTypeOf(claimed.format),
    'user-agent': 'Assay-Webhooks/1',
    ...signedHeaders(event.uid, clock.now(), body, signers),
  };
  return sender.post(claimed.url, headers, body);
}

/** Undefined where they are encrypted with another key than this worker has. */
function signersOf({ webhook, secret, previousSecret }: Claimed, key: Buffer): string[] | undefined {
  try {
    return [secret, previousSecret]
      .filter((each) => each !== null)
      .map((each) => decrypt(each, key, webhook));
  } catch {
    return undefined;
  }
}

function count(counts: Map<string, number>, of: string, by: number): void {
  counts.set(of, (counts.get(of) ?? 0) + by);
}
