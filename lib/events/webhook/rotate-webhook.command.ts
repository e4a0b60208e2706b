import { instantOf } from '#lib/core/clock.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { entryOf, unknownWebhook } from './webhook-entry.ts';
import { Webhook } from './webhook.entity.ts';
import { lockWebhook, rotateSecret } from './webhook.write.ts';

const HOUR_MS = 3_600_000;

type Input = {
  webhook: string;
  /** The key that encrypts the new secret. */
  key: Buffer;
  /** Hours for which messages are signed with both the previous secret and the new secret. */
  overlapHours: number;
};

/** Issues a new secret and a new key pair for a webhook. */
export const rotateWebhook = defineCommand<Input>()({
  find: (em, { webhook }) => placeOfRecord(em, Webhook, webhook),
  unknown: 'webhook_unknown',
  lock: (em, { webhook }) => lockWebhook(em, webhook),
  facts: async (_em, webhook) => webhook,
  decide: () => ({ ok: true }) as const,
  async write(_em, webhook, _verdict, { input, now }) {
    const { key, overlapHours } = input;
    const previousEndsAt = overlapHours === 0 ? null : instantOf(now.getTime() + overlapHours * HOUR_MS);
    return { result: { signer: rotateSecret(webhook, key, previousEndsAt), previousEndsAt } };
  },
  entry: (webhook) => entryOf('webhook.rotated', webhook, webhook.cause ? { cause: webhook.cause } : {}),
  refusals: unknownWebhook,
});
