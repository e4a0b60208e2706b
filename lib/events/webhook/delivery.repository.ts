import { sql } from 'kysely';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Em } from '#lib/database/orm.ts';
import type { Claimed } from './claim.repository.ts';
import { consequenceOf, type Consequence } from './schedule.ts';
import type { Sent } from './sender.ts';
import { disableWebhook, lockWebhook } from './webhook.repository.ts';

/** Writes what came of an attempt, and what follows from it. Returns that. */
export async function settleAttempt(
  em: Em,
  claimed: Pick<Claimed, 'uid' | 'webhook' | 'attempt'>,
  sent: Sent,
  { now, jitter }: { now: Date; jitter: number },
): Promise<Consequence['next']> {
  await keepAttempt(em, claimed.uid, sent, now);
  if (isTaken(sent)) {
    await endDelivery(em, claimed, 'delivered', now);
    await forgetFailure(em, claimed.webhook);
    return 'delivered';
  }
  // Held, so that of attempts that fail together one sees what the other wrote.
  const webhook = (await lockWebhook(em, claimed.webhook))!;
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
  else await endDelivery(em, claimed, 'failed', now);
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

function isTaken({ status }: Sent): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

async function keepAttempt(em: Em, uid: string, sent: Sent, now: Date): Promise<void> {
  await sql`
    insert into webhook_attempt (delivery_uid, number, workspace_uid, environment, at, duration_ms, status, error, excerpt)
    select d.uid, 1 + (select count(*) from webhook_attempt where delivery_uid = d.uid), d.workspace_uid, d.environment,
      ${now}, ${sent.durationMs}, ${sent.status ?? null}, ${sent.error ?? null}, ${sent.excerpt ?? null}
    from webhook_delivery d where d.uid = ${uid}
    on conflict do nothing
  `.execute(em.getKysely());
}

type Ends = Pick<Claimed, 'uid' | 'attempt'>;

/** Not where it was cancelled meanwhile, or somebody else has settled the attempt. */
async function endDelivery(
  em: Em,
  { uid, attempt }: Ends,
  state: 'delivered' | 'failed',
  now: Date,
): Promise<void> {
  await sql`
    update webhook_delivery set state = ${state}, attempts = ${attempt}, ended_at = ${now}
    where uid = ${uid} and state = 'pending' and attempts = ${attempt - 1}
  `.execute(em.getKysely());
}

async function retry(em: Em, { uid, attempt }: Ends, dueAt: Date): Promise<void> {
  await sql`
    update webhook_delivery set attempts = ${attempt}, due_at = ${dueAt}
    where uid = ${uid} and state = 'pending' and attempts = ${attempt - 1}
  `.execute(em.getKysely());
}

async function forgetFailure(em: Em, webhook: string): Promise<void> {
  await sql`update webhook set failing_since = null where uid = ${webhook} and failing_since is not null`.execute(
    em.getKysely(),
  );
}

/** Ends a delivery whose event is no longer kept. */
export async function cancelDelivery(em: Em, uid: string, now: Date): Promise<void> {
  await sql`
    update webhook_delivery set state = 'cancelled', ended_at = ${now} where uid = ${uid} and state = 'pending'
  `.execute(em.getKysely());
}
