import { readConfig } from '#lib/core/config.ts';
import { encryptionKey, webhookKey } from '#lib/core/encryption.ts';
import { keyEncryptionKey } from '#lib/core/envelope-encryption.ts';
import type { Em } from '#lib/database/base.ts';
import type { Finding } from '#lib/infrastructure/posture/controls.ts';
import {
  secretsFinding,
  signingSecrets,
  webhookSecrets,
  type StoredSecret,
} from '#lib/infrastructure/posture/secrets.query.ts';

/**
 * Evaluates whether the secrets that workers read are encrypted with the current keys. A key comes from the
 * configuration, or is derived from the workers' own database password. `ai` are the wrapped keys of AI connections.
 */
export async function evaluateSecrets(em: Em, ai: readonly StoredSecret[]): Promise<Finding> {
  const { SIGNING_SECRET, WEBHOOK_KEY, AI_CONNECTION_KEY } = readConfig();
  const password = String(em.getConnection().getConnectionOptions().password ?? '');
  return secretsFinding([
    { kind: 'signing', key: encryptionKey(SIGNING_SECRET, password), secrets: await signingSecrets(em) },
    { kind: 'webhooks', key: webhookKey(WEBHOOK_KEY, password), secrets: await webhookSecrets(em) },
    { kind: 'ai', key: keyEncryptionKey(AI_CONNECTION_KEY, password), secrets: ai },
  ]);
}
