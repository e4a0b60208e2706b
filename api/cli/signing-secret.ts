import { systemClock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import { encryptionKey } from '#lib/core/encryption.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { govern } from '#lib/governance/govern.ts';
import { makeFirstKey } from '#lib/trust/signing-key.command.ts';
import { unnamed } from './shell/govern.ts';
import { workersKey } from './workers-key.ts';

/**
 * What the workers open signing keys with: the secret that is set, or one made of their password. Who knows the password
 * of the operator's role alone cannot tell it.
 */
export function workersSecret(url: string, config: Config): Buffer {
  return workersKey(url, config, {
    variable: 'SIGNING_SECRET',
    code: 'signing_secret_missing',
    keyOf: encryptionKey,
  });
}

/** Makes the first signing key of a deployment, as whoever owns the database brings it up. */
export async function ensureFirstKey(ownerUrl: string, config: Config): Promise<void> {
  const orm = openOrm(roleUrl(ownerUrl, 'operator', config), 1);
  try {
    const secret = workersSecret(ownerUrl, config);
    await govern(orm, makeFirstKey, { secret }, { actor: unnamed, clock: systemClock });
  } finally {
    await orm.close();
  }
}
