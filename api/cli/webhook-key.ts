import { webhookKey } from '#lib/core/encryption.ts';
import { networksOf, type Networks } from '#lib/core/network-address.ts';
import { workerPassword } from '#lib/database/roles.ts';
import type { Operator } from './operator.ts';
import { Refusal } from './refusal.ts';

/** What the secrets of webhooks are encrypted with: the same that the workers have. */
export function webhookKeyOf({ config, ownerUrl }: Operator): Buffer {
  const password = workerPassword(ownerUrl, config);
  if (config.WEBHOOK_KEY === undefined && password === undefined) {
    throw new Refusal('webhook_key_missing', 'set WEBHOOK_KEY, here and for the workers');
  }
  return webhookKey(config.WEBHOOK_KEY, password ?? '');
}

/** The networks that webhooks may reach although they are not public. */
export function webhookNetworks({ config }: Operator): Networks {
  return networksOf(config.WEBHOOK_NETWORKS);
}
