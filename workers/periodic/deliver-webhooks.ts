import { randomInt } from 'node:crypto';
import { systemClock, type Clock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import { decrypt, webhookKey } from '#lib/core/encryption.ts';
import { batchWrites } from '#lib/core/batch-writes.ts';
import type { Log } from '#lib/core/log.ts';
import { networksOf } from '#lib/core/network-address.ts';
import { oneAtATime } from '#lib/core/one-at-a-time.ts';
import { TaskPool } from '#lib/core/task-pool.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { claimDue, type Claimed } from '#lib/events/webhook/claim.write.ts';
import {
  cancelDelivery,
  settleFailed,
  settleTaken,
  type AcceptedAttempt,
} from '#lib/events/webhook/delivery.write.ts';
import { contentTypeOf, messageOf } from '#lib/events/webhook/message.ts';
import { isTaken, type Consequence } from '#lib/events/webhook/schedule.ts';
import { openSender, type Sender, type Sent } from '#lib/events/webhook/sender.ts';
import { signedHeaders } from '#lib/events/webhook/signature.ts';

/** The maximum number of messages in flight in a worker. A separate limit applies to each webhook. */
const PENDING_MAX = 64;
const PENDING_MAX_EACH = 8;
/**
 * Time in milliseconds after which a pass claims no further messages, so that the worker can end and
 * housekeeping can continue.
 */
const TURN_MS = 5_000;
/**
 * Lease of a claimed message in milliseconds. It is longer than the longest attempt. When the lease expires,
 * another worker sends the message.
 */
const LEASE_MS = 60_000;

export type Delivery = {
  orm: Orm;
  sender: Sender;
  /** The key that encrypts the secrets of webhooks. */
  key: Buffer;
  log: Log;
  clock?: Clock;
  leaseMs?: number;
};

/**
 * Sends due messages to webhooks until none is left, and records the outcomes. Delivery is at least once: a
 * message is claimed before it is sent, and settled afterwards. If the worker dies in between, the message is
 * sent again under the same id. Messages claimed together are settled together. A call during another pass of
 * this process does nothing. Returns how many messages were sent.
 */
export function webhookDelivery(delivery: Delivery): () => Promise<number> {
  const settleTogether = batchWrites<AcceptedAttempt>({
    max: PENDING_MAX,
    write: (taken) => inPlatform(delivery.orm, (em) => settleTaken(em, taken)),
  });
  const lanes = () => ({ pending: new TaskPool(PENDING_MAX), settling: new TaskPool(2 * PENDING_MAX) });
  return oneAtATime(() => turn({ ...delivery, settleTogether, ...lanes() }));
}

/** Opens the delivery of webhooks with a worker's configuration. The URL uses the worker's database role. */
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

type Turn = Delivery & {
  settleTogether: (taken: AcceptedAttempt) => Promise<void>;
  pending: TaskPool;
  /**
   * The claimed messages that are not settled yet. Further messages can be claimed before these are settled.
   */
  settling: TaskPool;
};

async function turn(delivery: Turn): Promise<number> {
  const { pending, settling } = delivery;
  const end = performance.now() + TURN_MS;
  let sent = 0;
  for (;;) {
    const isOpen = performance.now() < end && pending.room > 0 && settling.room >= PENDING_MAX;
    const claimed = isOpen ? await claim(delivery) : [];
    for (const each of claimed) pending.start(each.webhook, () => deliver(delivery, each));
    sent += claimed.length;
    if (pending.size > 0) await pending.someEnd();
    else if (settling.size > 0) await settling.someEnd();
    else return sent;
  }
}

function claim({ orm, clock = systemClock, leaseMs = LEASE_MS, pending }: Turn): Promise<Claimed[]> {
  const now = clock.now();
  const leaseEndsAt = new Date(now.getTime() + leaseMs);
  const limits = { max: pending.room, maxEach: PENDING_MAX_EACH, pending: pending.counts };
  return inPlatform(orm, (em) => claimDue(em, { now, leaseEndsAt, ...limits }));
}

async function deliver(delivery: Turn, claimed: Claimed): Promise<void> {
  const warn = (error: unknown) =>
    delivery.log.warn(
      { err: error, delivery: claimed.uid },
      'the outcome of a webhook delivery was not recorded',
    );
  try {
    const sent = claimed.event ? await send(delivery, claimed, claimed.event) : undefined;
    const settled = settle(delivery, claimed, sent);
    // A failed delivery may disable the webhook, so its outcome is recorded before the next message is claimed.
    if (sent && isTaken(sent)) delivery.settling.start(claimed.webhook, () => settled.catch(warn));
    else await settled;
  } catch (error) {
    warn(error);
  }
}

/**
 * Records the outcome of an attempt, and its consequences. If the event is no longer stored, no attempt was
 * made.
 */
async function settle(
  { orm, settleTogether, clock = systemClock, log }: Turn,
  claimed: Claimed,
  sent: Sent | undefined,
): Promise<void> {
  const { uid, webhook, attempt, event } = claimed;
  const now = clock.now();
  if (!sent) return inTenant(orm, claimed, (em) => cancelDelivery(em, uid, now));
  let next: Consequence['next'] = 'delivered';
  if (isTaken(sent)) await settleTogether({ uid, webhook, attempt, at: now, sent });
  else {
    const jitter = randomInt(1_001) / 1_000;
    next = await inTenant(orm, claimed, (em) => settleFailed(em, claimed, sent, { now, jitter }));
  }
  const { status, error: failure, durationMs: duration_ms } = sent;
  const about = { delivery: uid, webhook, event: event!.uid, attempt, status, failure, next, duration_ms };
  log.info(about, 'webhook attempt');
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

/**
 * Returns the signers of a message, or undefined if the secrets are encrypted with another key than this
 * worker has.
 */
function signersOf({ webhook, secret, previousSecret }: Claimed, key: Buffer): string[] | undefined {
  try {
    return [secret, previousSecret]
      .filter((each) => each !== null)
      .map((each) => decrypt(each, key, webhook));
  } catch {
    return undefined;
  }
}
