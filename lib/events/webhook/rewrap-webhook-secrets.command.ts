import { webhookKey } from '#lib/core/encryption.ts';
import type { WorkersKey } from '#lib/core/workers-key.ts';
import { placeOf } from '#lib/governance/command.ts';
import { rewrapSecrets } from '#lib/governance/rewrap-secrets.ts';
import { rewrapWebhooks } from './webhook.write.ts';

/** The key that encrypts the secrets of webhooks. Workers share it. */
export const webhookSecrets: WorkersKey = {
  variable: 'WEBHOOK_KEY',
  code: 'webhook_key_missing',
  keyOf: webhookKey,
};

/** Encrypts the secrets of webhooks with another key. */
export const rewrapWebhookSecrets = rewrapSecrets(async (em, change) =>
  (await rewrapWebhooks(em, change)).map((webhook) => ({
    op: 'webhook.rewrapped',
    subject: { type: 'webhook', uid: webhook.uid },
    place: placeOf(webhook)!,
  })),
);
