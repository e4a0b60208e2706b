import { randomUUIDv7 } from 'node:crypto';
import type { Prefix } from './prefix.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

let newest = 0n;

/**
 * The bits of a UUIDv7, above those of the one before. Within a millisecond RFC 9562 (6.2, method 2)
 * counts the random bits up: by a random step of up to 2^32, so that an id does not tell its neighbour.
 */
function nextUuid(): bigint {
  const fresh = BigInt(`0x${randomUUIDv7().replaceAll('-', '')}`);
  newest = fresh > newest ? fresh : newest + (fresh & 0xffff_ffffn) + 1n;
  return newest;
}

/** A new public id: `<prefix>_` and a UUIDv7 in 26 characters of Crockford base32. Those of a process sort by age. */
export function newUid(prefix: Prefix): string {
  return `${prefix}_${crockford(nextUuid())}`;
}

/** What stands behind the prefix of the least public id that can be made at an instant: later ones sort behind it. */
export function uidBodyMin(instant: Date): string {
  return crockford(BigInt(instant.getTime()) << 80n);
}

/** Whether a text has the form of a public id, of this kind or of any. */
export function isUid(text: string, prefix?: Prefix): boolean {
  return /^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text) && (!prefix || text.startsWith(`${prefix}_`));
}

function crockford(bits: bigint): string {
  let text = '';
  for (let digit = 0; digit < 26; digit++) {
    text = ALPHABET[Number(bits & 31n)]! + text;
    bits >>= 5n;
  }
  return text;
}
