import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import { encrypt } from '#lib/core/encryption.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { rewrap, type KeyChange } from '#lib/core/rewrap.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { Format } from './message.ts';
import { newSigner } from './signature.ts';
import { Webhook, type DisabledCause } from './webhook.entity.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';

export const WEBHOOKS_MAX = 20;

export type NewWebhook = {
  url: string;
  types: readonly string[];
  format: Format;
  description: string | undefined;
  by: string;
  now: Date;
};

/** Locks the webhooks of the tenant until the transaction ends. No other transaction can create a webhook meanwhile. */
export async function lockWebhooks(em: Em, { workspace, environment }: Tenant): Promise<void> {
  const lock = `webhooks ${workspace} ${environment}`;
  await acquireNamedLock(em, lock);
}

/** Returns the number of active webhooks of the tenant. */
export function countActiveWebhooks(em: Em, { workspace, environment }: Tenant): Promise<number> {
  const active = { workspaceUid: workspace, environment, state: 'active' as const };
  return em.count(Webhook, active, { filters: false });
}

/** Creates a webhook and its signer. Only the result shows the secret of the signer. */
export function insertWebhook(
  em: Em,
  { workspace, environment }: Tenant,
  { url, types, format, description, by, now }: NewWebhook,
  key: Buffer,
): { webhook: Webhook; signer: string } {
  const uid = newUid(prefixes.webhook);
  const signer = newSigner();
  const webhook = em.create(Webhook, {
    uid,
    workspaceUid: workspace,
    environment,
    url,
    description: description ?? null,
    types: [...types],
    format,
    state: 'active',
    secret: encrypt(signer, key, uid),
    createdBy: by,
    createdAt: now,
  });
  return { webhook, signer };
}

/** Lists all webhooks of the current tenant, newest first. */
export function listWebhooks(em: Em): Promise<Webhook[]> {
  return em.find(Webhook, {}, { orderBy: { uid: 'desc' } });
}

/** Locks a webhook until the transaction ends. */
export function lockWebhook(em: Em, uid: string): Promise<Webhook> {
  return em.findOneOrFail(
    Webhook,
    { uid },
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
}

/**
 * Issues a new secret and key pair for a webhook. The previous signer also signs messages until
 * `previousEndsAt`, so that receivers have time to change. Older signers become invalid at once.
 */
export function rotateSecret(webhook: Webhook, key: Buffer, previousEndsAt: Date | null): string {
  const signer = newSigner();
  webhook.previousSecret = previousEndsAt && webhook.secret;
  webhook.previousEndsAt = previousEndsAt;
  webhook.secret = encrypt(signer, key, webhook.uid);
  return signer;
}

/** Encrypts the secrets of all webhooks with another key. Returns the webhooks whose secrets changed. */
export async function rewrapWebhooks(em: Em, change: KeyChange): Promise<Webhook[]> {
  const webhooks = await em.find(
    Webhook,
    {},
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { uid: 'asc' } },
  );
  return webhooks.filter((webhook) => {
    const { uid, secret, previousSecret } = webhook;
    const [now, before] = [secret, previousSecret].map((each) => each && rewrap(each, change, uid));
    if (now) webhook.secret = now;
    if (before) webhook.previousSecret = before;
    return now !== undefined || (before !== undefined && before !== null);
  });
}

/** Disables a webhook. Its pending deliveries are cancelled and can be replayed later. */
export async function disableWebhook(
  em: Em,
  webhook: Webhook,
  cause: DisabledCause,
  now: Date,
): Promise<void> {
  webhook.state = 'disabled';
  webhook.cause = cause;
  webhook.disabledAt = now;
  await em.flush();
  await sql`
    update webhook_delivery set state = 'cancelled', ended_at = ${now}
    where webhook_uid = ${webhook.uid} and state = 'pending'
  `.execute(em.getKysely());
}

/** Enables a webhook. The webhook receives the events that are created from now on. */
export function enableWebhook(webhook: Webhook): void {
  webhook.state = 'active';
  webhook.cause = null;
  webhook.disabledAt = null;
  webhook.failingSince = null;
}
