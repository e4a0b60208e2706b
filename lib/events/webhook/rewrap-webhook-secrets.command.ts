import { placeOf } from '#lib/governance/command.ts';
import { rewrapSecrets } from '#lib/governance/rewrap-secrets.ts';
import { rewrapWebhooks } from './webhook.repository.ts';

/** Puts the secrets of webhooks under another key. */
export const rewrapWebhookSecrets = rewrapSecrets(async (em, change) =>
  (await rewrapWebhooks(em, change)).map((webhook) => ({
    op: 'webhook.rewrapped',
    subject: { type: 'webhook', uid: webhook.uid },
    place: placeOf(webhook)!,
  })),
);
