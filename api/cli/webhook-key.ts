import { webhookKey } from '#lib/core/encryption.ts';
import { networksOf, type Networks } from '#lib/core/network-address.ts';
import { roleName, databaseName, roleUrl } from '#lib/database/roles.ts';
import type { Operator } from './operator.ts';
import { Refusal } from './refusal.ts';

/** What the secrets of webhooks are encrypted with: the same that the workers have. */
export function webhookKeyOf({ config, ownerUrl }: Operator): Buffer {
  if (config.WEBHOOK_KEY === undefined && config.WORKER_PASSWORD === undefined && !isOwners(ownerUrl)) {
    throw new Refusal('webhook_key_missing', 'set WEBHOOK_KEY, here and for the workers');
  }
  return webhookKey(
    config.WEBHOOK_KEY,
    decodeURIComponent(new URL(roleUrl(ownerUrl, 'worker', config)).password),
  );
}

/** With the URL of the operator's own role, the password of the workers' cannot be known. */
function isOwners(url: string): boolean {
  return decodeURIComponent(new URL(url).username) !== roleName(databaseName(url), 'operator');
}

/** The networks that webhooks may reach although they are not public. */
export function webhookNetworks({ config }: Operator): Networks {
  return networksOf(config.WEBHOOK_NETWORKS);
}
