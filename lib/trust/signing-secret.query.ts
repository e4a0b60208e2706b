import { readConfig } from '#lib/core/config.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import type { Em } from '#lib/database/base.ts';

/**
 * Returns the key that encrypts the private halves of signing keys. A worker reads it from the configuration
 * or derives it from its own database password.
 */
export function signingSecret(em: Em): Buffer {
  const { password } = em.getConnection().getConnectionOptions();
  return encryptionKey(readConfig().SIGNING_SECRET, String(password ?? ''));
}
