import { readConfig } from '#lib/core/config.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import type { Em } from '#lib/database/base.ts';

/** What the private halves of signing keys are closed with, as a worker knows it: set, or made of its own password. */
export function signingSecret(em: Em): Buffer {
  const { password } = em.getConnection().getConnectionOptions();
  return encryptionKey(readConfig().SIGNING_SECRET, String(password ?? ''));
}
