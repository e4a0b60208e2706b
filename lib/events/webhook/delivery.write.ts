import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.write.ts';
import type { Em } from '#lib/database/base.ts';
import type { Claimed } from './claim.write.ts';
import { consequenceOf, type Consequence } from './schedule.ts';
import type { Sent } from './sender.ts';
import { disableWebhook, lockWebhook } from './webhook.write.ts';

type Settled = Pick<Claimed, 'uid' | 'webhook' | 'attempt'>;

/** Records a failed attempt and applies its consequence, such as a further attempt. Returns the consequence. */
export async function settleFailed(
  em: Em,
  claimed: Settled,
  sent: Sent,
  { now, jitter }: { now: Date; jitter: number },
): Promise<Consequence['next']> {
  await keep(em, claimed.uid, sent, now);
  // The webhook is locked, so that the second of two concurrent failures reads the changes of the first.
  const webhook = await lockWebhook(em, claimed.webhook);
  const { attempt } = claimed;
  const consequence = consequenceOf(sent, {
    attempt,
    failingSince: webhook.failingSince ?? null,
    now,
    jitter,
  });
  webhook.failingSince ??= now;
  await em.flush();
  if (consequence.next === 'retry') await retry(em, claimed, consequence.dueAt);
  else await fail(em, claimed, now);
  if (consequence.next === 'disable' && webhook.state === 'active') {
    await disableWebhook(em, webhook, consequence.cause, now);
    await appendAudit(em, {
      at: now,
      op: 'webhook.disabled',
      actor: { kind: 'system' },
      subject: { type: 'webhook', uid: webhook.uid },
      details: { cause: consequence.cause },
    });
  }
  return consequence.next;
}

/** An attempt that the receiver accepted. */
export type AcceptedAttempt = Settled & { at: Date; sent: Sent };

/**
 * Records attempts that the receivers accepted, in one transaction. Locks the webhooks before their
 * deliveries, in the same order as for failed attempts. For workers.
 */
export async function settleTaken(em: Em, taken: readonly AcceptedAttempt[]): Promise<void> {
  await sql`
    update webhook set failing_since = null
    where uid in (
      select uid from webhook where uid = any(${[...new Set(taken.map(({ webhook }) => webhook))]}::text[]) and failing_since is not null order by uid for update
    )
  `.execute(em.getKysely());
  const given = taken.map(({ uid, attempt, at, sent }) => ({ uid, attempt, at, ...sent }));
  await sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(given)}::json)
        as g (uid text, attempt integer, at timestamptz, "durationMs" integer, status integer, excerpt text)
    ), kept as (
      insert into webhook_attempt (delivery_uid, number, workspace_uid, environment, at, duration_ms, status, excerpt)
      select d.uid, 1 + (select count(*) from webhook_attempt where delivery_uid = d.uid), d.workspace_uid,
        d.environment, given.at, given."durationMs", given.status, given.excerpt
      from given join webhook_delivery d on d.uid = given.uid
      on conflict do nothing
    )
    update webhook_delivery d set state = 'delivered', attempts = given.attempt, ended_at = given.at
    from given where d.uid = given.uid and d.state = 'pending' and d.attempts = given.attempt - 1
  `.execute(em.getKysely());
}

type Ends = Pick<Claimed, 'uid' | 'attempt'>;

async function keep(em: Em, uid: string, sent: Sent, now: Date): Promise<void> {
  await sql`
    insert into webhook_attempt (delivery_uid, number, workspace_uid, environment, at, duration_ms, status, error, excerpt)
    select d.uid, 1 + (select count(*) from webhook_attempt where delivery_uid = d.uid), d.workspace_uid, d.environment,
      ${now}, ${sent.durationMs}, ${sent.status ?? null}, ${sent.error ?? null}, ${sent.excerpt ?? null}
    from webhook_delivery d where d.uid = ${uid}
    on conflict do nothing
  `.execute(em.getKysely());
}

/**
 * Marks a delivery as failed. Does nothing if the delivery was cancelled meanwhile, or if another worker has
 * already recorded this attempt.
 */
async function fail(em: Em, { uid, attempt }: Ends, now: Date): Promise<void> {
  await sql`
    update webhook_delivery set state = 'failed', attempts = ${attempt}, ended_at = ${now}
    where uid = ${uid} and state = 'pending' and attempts = ${attempt - 1}
  `.execute(em.getKysely());
}

async function retry(em: Em, { uid, attempt }: Ends, dueAt: Date): Promise<void> {
  await sql`
    update webhook_delivery set attempts = ${attempt}, due_at = ${dueAt}
    where uid = ${uid} and state = 'pending' and attempts = ${attempt - 1}
  `.execute(em.getKysely());
}

/** Ends a delivery whose event is no longer stored. */
export async function cancelDelivery(em: Em, uid: string, now: Date): Promise<void> {
  await sql`
    update webhook_delivery set state = 'cancelled', ended_at = ${now} where uid = ${uid} and state = 'pending'
  `.execute(em.getKysely());
}
