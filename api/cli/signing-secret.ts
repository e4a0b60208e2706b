import { systemClock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { roleUrl, workerPassword } from '#lib/database/roles.ts';
import { ensureSigningKey } from '#lib/trust/signing-key.repository.ts';
import { Refusal } from './refusal.ts';

/**
 * What the workers open signing keys with: the secret that is set, or one made of their password. Who knows the password
 * of the operator's role alone cannot tell it.
 */
export function workersSecret(url: string, config: Config): Buffer {
  const password = workerPassword(url, config);
  if (config.SIGNING_SECRET === undefined && password === undefined) {
    throw new Refusal('signing_secret_missing', 'set SIGNING_SECRET, here and for the workers');
  }
  return encryptionKey(config.SIGNING_SECRET, password ?? '');
}

/** Makes the first signing key of a deployment, as whoever owns the database brings it up. */
export async function ensureFirstKey(ownerUrl: string, config: Config): Promise<void> {
  const orm = openOrm(roleUrl(ownerUrl, 'operator', config), 1);
  try {
    const secret = workersSecret(ownerUrl, config);
    await inPlatform(orm, (em) => ensureSigningKey(em, secret, systemClock.now()));
  } finally {
    await orm.close();
  }
}
