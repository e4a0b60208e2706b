import { randomUUIDv7 } from 'node:crypto';
import type { Prefix } from './prefix.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ZERO = 48;
const LETTER_A = 97;

let newest = 0n;

/**
 * Returns the 128 bits of a new UUIDv7, greater than the previous UUIDv7. Within a millisecond, the random
 * bits are incremented (RFC 9562, 6.2, method 2). The increment is random, from 1 to 2^32, so that nobody can
 * derive the next id from a known id.
 */
function nextUuid(): bigint {
  const fresh = BigInt(`0x${randomUUIDv7().replaceAll('-', '')}`);
  newest = fresh > newest ? fresh : newest + (fresh & 0xffff_ffffn) + 1n;
  return newest;
}

/**
 * Creates a public id: `<prefix>_` and a UUIDv7 in 26 characters of Crockford base32. The ids that a process
 * creates sort by time of creation.
 */
export function newUid(prefix: Prefix): string {
  return `${prefix}_${crockford(nextUuid())}`;
}

/**
 * Returns the smallest public id that can be created at an instant, without its prefix. Ids that are created later sort
 * after this id.
 */
export function uidBodyMin(instant: Date): string {
  return crockford(BigInt(instant.getTime()) << 80n);
}

/** Whether a text has the form of a public id. If `prefix` is given, the id must begin with it. */
export function isUid(text: string, prefix?: Prefix): boolean {
  return /^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text) && (!prefix || text.startsWith(`${prefix}_`));
}

/** Converts 128 bits to 26 digits. JavaScript writes the digits from 10 on as `a` to `v`. */
function crockford(bits: bigint): string {
  const digits = bits.toString(32).padStart(26, '0');
  let text = '';
  for (let at = 0; at < 26; at++) {
    const code = digits.charCodeAt(at);
    text += ALPHABET[code < LETTER_A ? code - ZERO : code - LETTER_A + 10]!;
  }
  return text;
}
