import { systemClock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { databaseName, roleName, roleUrl } from '#lib/database/roles.ts';
import { ensureSigningKey } from '#lib/trust/signing-key.repository.ts';
import { Refusal } from './refusal.ts';

/**
 * What the workers open signing keys with: the secret that is set, or one made of their password. Who knows the password
 * of the operator's role alone cannot tell it.
 */
export function workersSecret(url: string, config: Config): Buffer {
  const isOperators = decodeURIComponent(new URL(url).username) === roleName(databaseName(url), 'operator');
  if (isOperators && !config.SIGNING_SECRET && !config.WORKER_PASSWORD) {
    throw new Refusal('signing_secret_missing', 'set SIGNING_SECRET, here and for the workers');
  }
  const { password } = new URL(roleUrl(url, 'worker', config));
  return encryptionKey(config.SIGNING_SECRET, decodeURIComponent(password));
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
