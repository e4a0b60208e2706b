const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns the UUIDv7 inside a public id, such as `tfr_01K8...`: the 26 characters after the prefix are its 128 bits in
 * base32. Throws a `RangeError` on a text that is not a public id.
 */
export function uuidOf(uid: string): string {
  const body = uid.slice(uid.indexOf('_') + 1);
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(body)) throw new RangeError(`${uid} is not a public id`);
  let bits = 0n;
  for (const digit of body) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(digit));
  const hex = bits.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
