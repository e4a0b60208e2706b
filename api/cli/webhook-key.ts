import { webhookKey } from '#lib/core/encryption.ts';
import { networksOf, type Networks } from '#lib/core/network-address.ts';
import type { Operator } from './operator.ts';
import { workersKey } from './workers-key.ts';

/** What the secrets of webhooks are encrypted with: the same that the workers have. */
export function webhookKeyOf({ config, ownerUrl }: Operator): Buffer {
  return workersKey(ownerUrl, config, {
    variable: 'WEBHOOK_KEY',
    code: 'webhook_key_missing',
    keyOf: webhookKey,
  });
}

/** The networks that webhooks may reach although they are not public. */
export function webhookNetworks({ config }: Operator): Networks {
  return networksOf(config.WEBHOOK_NETWORKS);
}
