import type { Config } from '#lib/core/config.ts';
import { webhookKey } from '#lib/core/encryption.ts';
import type { Log } from '#lib/core/log.ts';
import { networksOf } from '#lib/core/network-address.ts';
import type { Orm } from '#lib/database/orm.ts';
import { openSender } from '#lib/events/webhook/sender.ts';
import { webhookDelivery } from './deliver-webhooks.ts';

/** The delivery of webhooks as a worker is configured for it; the URL is that of its database role. */
export function openWebhookDelivery({
  config,
  databaseUrl,
  orm,
  log,
}: {
  config: Config;
  databaseUrl: string;
  orm: Orm;
  log: Log;
}): { deliver: () => Promise<number>; close: () => Promise<void> } {
  const sender = openSender(networksOf(config.WEBHOOK_NETWORKS));
  const key = webhookKey(config.WEBHOOK_KEY, decodeURIComponent(new URL(databaseUrl).password));
  return { deliver: webhookDelivery({ orm, sender, key, log }), close: sender.close };
}
