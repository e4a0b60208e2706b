import type { Environment } from '#lib/database/base.ts';
import { checksum, isChecked, randomBase62, SECRET_LENGTH } from './secret.ts';

const FORM = /^svc_(test|live)_([0-9A-Za-z]{10})[0-9A-Za-z]{49}$/;

export const keyPrefixes: Record<Environment, string> = { sandbox: 'svc_test_', production: 'svc_live_' };

/**
 * Returns a new key: prefix, key id of 10 characters, secret of 43 characters (256 bits), and checksum of 6
 * characters, all in base62.
 */
export function newApiKey(environment: Environment): { key: string; keyId: string } {
  const keyId = randomBase62(10);
  const unchecked = keyPrefixes[environment] + keyId + randomBase62(SECRET_LENGTH);
  return { key: unchecked + checksum(unchecked), keyId };
}

/** Returns the parts of a well-formed key, or undefined if the text is not a key. Needs no look-up. */
export function parseApiKey(key: string): { environment: Environment; keyId: string } | undefined {
  const [, mode, keyId] = FORM.exec(key) ?? [];
  if (!keyId || !isChecked(key)) return undefined;
  return { environment: mode === 'live' ? 'production' : 'sandbox', keyId };
}
