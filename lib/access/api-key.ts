import type { Environment } from '#lib/database/base.ts';
import { checksum, isChecked, randomBase62, SECRET_LENGTH } from './secret.ts';

const FORM = /^svc_(test|live)_([0-9A-Za-z]{10})[0-9A-Za-z]{49}$/;

export const keyPrefixes: Record<Environment, string> = { sandbox: 'svc_test_', production: 'svc_live_' };

/** A new key: prefix, 10-character key id, 43 characters (256 bits) of secret, 6 of checksum, all base62. */
export function newApiKey(environment: Environment): { key: string; keyId: string } {
  const keyId = randomBase62(10);
  const unchecked = keyPrefixes[environment] + keyId + randomBase62(SECRET_LENGTH);
  return { key: unchecked + checksum(unchecked), keyId };
}

/** The parts of a well-formed key, or undefined for typos and noise, found without any look-up. */
export function parseApiKey(key: string): { environment: Environment; keyId: string } | undefined {
  const [, mode, keyId] = FORM.exec(key) ?? [];
  if (!keyId || !isChecked(key)) return undefined;
  return { environment: mode === 'live' ? 'production' : 'sandbox', keyId };
}
