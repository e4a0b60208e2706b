import { defineCommand, type RefusalCode } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { entryOf, unknownWebhook } from './webhook-entry.ts';
import { Webhook } from './webhook.entity.ts';
import { disableWebhook, enableWebhook, lockWebhook } from './webhook.write.ts';

type SwitchVerdict =
  | { ok: true; next: Webhook['state'] }
  | { ok: false; code: 'webhook_disabled' | 'webhook_active' };

/** Disables a webhook and cancels its pending deliveries, or enables it again. */
export const switchWebhook = defineCommand<{ webhook: string; event: 'disable' | 'enable' }>()({
  find: (em, { webhook }) => placeOfRecord(em, Webhook, webhook),
  unknown: 'webhook_unknown',
  lock: (em, { webhook }) => lockWebhook(em, webhook),
  facts: async (_em, webhook) => webhook,
  decide({ state }, { event }): SwitchVerdict {
    const next = event === 'disable' ? 'disabled' : 'active';
    return state === next ? { ok: false, code: `webhook_${next}` } : { ok: true, next };
  },
  async write(em, webhook, { next }, { now }) {
    if (next === 'disabled') await disableWebhook(em, webhook, 'operator', now);
    else enableWebhook(webhook);
    return { result: undefined };
  },
  entry: (webhook, verdict) =>
    verdict.ok
      ? entryOf(
          verdict.next === 'disabled' ? 'webhook.disabled' : 'webhook.enabled',
          webhook,
          webhook.cause ? { cause: webhook.cause } : {},
        )
      : undefined,
  refusals: {
    ...unknownWebhook,
    webhook_disabled: 'The webhook is already disabled.',
    webhook_active: 'The webhook is already active.',
  } satisfies Record<RefusalCode<SwitchVerdict> | 'webhook_unknown', string>,
});
