import type { Config } from '#lib/core/config.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { workersKey, type WorkersKey } from '#lib/core/workers-key.ts';
import { operatorPassword, workerPassword } from '#lib/database/roles.ts';
import { providerKeys } from '#lib/ai/rewrap-provider-keys.command.ts';
import type { CellKeys } from '#lib/cells/secrets.ts';
import { webhookSecrets } from '#lib/events/webhook/rewrap-webhook-secrets.command.ts';

/**
 * Returns the keys that encrypt the secrets of a deployment: the configured keys, or the keys derived from the passwords
 * of its roles. Throws a refusal if a key is neither configured nor derivable.
 */
export function cellKeys(config: Config, ownerUrl: string): CellKeys {
  const password = operatorPassword(ownerUrl, config);
  if (config.ENCRYPTION_KEY === undefined && password === undefined)
    throw new Refusal('encryption_key_missing', 'set ENCRYPTION_KEY for this command');
  const ofWorkers = (key: WorkersKey) => workersKey(key, config, workerPassword(ownerUrl, config));
  return {
    codes: encryptionKey(config.ENCRYPTION_KEY, password ?? ''),
    webhooks: ofWorkers(webhookSecrets),
    ai: ofWorkers(providerKeys),
  };
}
