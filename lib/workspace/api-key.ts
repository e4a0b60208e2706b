import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '#lib/database/base.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^svc_(test|live)_([0-9A-Za-z]{10})([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export const keyPrefixes: Record<Environment, string> = { sandbox: 'svc_test_', production: 'svc_live_' };

/** A new key: prefix, 10-character key id, 43 characters (256 bits) of secret, 6 of checksum, all base62. */
export function newApiKey(environment: Environment): { key: string; keyId: string } {
  const keyId = randomBase62(10);
  const unchecked = keyPrefixes[environment] + keyId + randomBase62(43);
  return { key: unchecked + checksum(unchecked), keyId };
}

/** The parts of a well-formed key, or undefined for typos and noise, found without any look-up. */
export function parseApiKey(key: string): { environment: Environment; keyId: string } | undefined {
  const [, mode, keyId, , check] = FORM.exec(key) ?? [];
  if (!keyId || checksum(key.slice(0, -6)) !== check) return undefined;
  return { environment: mode === 'live' ? 'production' : 'sandbox', keyId };
}

/** CRC-32 in base62; it catches slips of the hand, it protects nothing. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let at = 0; at < 6; at++) {
    digits = BASE62[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(62)]).join('');
}
