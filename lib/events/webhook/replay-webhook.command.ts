import { Refusal } from '#lib/core/refusal.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { replay, webhookOf } from './delivery-log.query.ts';
import { entryOf, unknownWebhook } from './webhook-entry.ts';
import { Webhook } from './webhook.entity.ts';
import { lockWebhook } from './webhook.write.ts';

type ReplayVerdict = { ok: true } | { ok: false; code: 'webhook_disabled' };

/** The parts that the commands `replaySince` and `replayDelivery` share. */
const shared = {
  facts: async (_em: Em, webhook: Webhook) => webhook,
  decide: ({ state }: Webhook): ReplayVerdict =>
    state === 'disabled' ? { ok: false, code: 'webhook_disabled' } : { ok: true },
  entry: (webhook: Webhook, _verdict: ReplayVerdict, _input: unknown, messages?: number) =>
    messages ? entryOf('webhook.replayed', webhook, { messages }) : undefined,
};

const disabled = 'The webhook is disabled. Enable it first.';

/**
 * Sends again all stored events that occurred at or after an instant and have one of the webhook's types. Returns the
 * number of messages.
 */
export const replaySince = defineCommand<{ webhook: string; since: Date }>()({
  ...shared,
  find: (em, { webhook }) => placeOfRecord(em, Webhook, webhook),
  unknown: 'webhook_unknown',
  lock: (em, { webhook }) => lockWebhook(em, webhook),
  write: async (em, webhook, _verdict, { input: { since }, now }) => ({
    result: await replay(em, webhook, { since }, now),
  }),
  refusals: { ...unknownWebhook, webhook_disabled: disabled },
});

/** Sends the event of one delivery again. Returns the number of messages, which is 1. */
export const replayDelivery = defineCommand<{ delivery: string }>()({
  ...shared,
  async find(em, { delivery }): Promise<Tenant | undefined> {
    const webhook = await webhookOf(em, delivery);
    return webhook === undefined ? undefined : placeOfRecord(em, Webhook, webhook);
  },
  unknown: 'delivery_unknown',
  lock: async (em, { delivery }) => lockWebhook(em, (await webhookOf(em, delivery))!),
  async write(em, webhook, _verdict, { input: { delivery }, now }) {
    const messages = await replay(em, webhook, { delivery }, now);
    if (messages > 0) return { result: messages };
    const detail = 'The delivery is already waiting to be sent, or its event is no longer stored.';
    throw new Refusal('nothing_to_replay', detail);
  },
  refusals: { delivery_unknown: 'The delivery does not exist.', webhook_disabled: disabled },
});
