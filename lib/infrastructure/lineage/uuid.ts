const HEX = '0123456789abcdef';
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns the UUIDv7 inside a public id, such as `tfr_01K8...`: the 26 characters after the prefix are its 128 bits in
 * base32. Throws a `RangeError` on a text that is not a public id.
 */
export function uuidOf(uid: string): string {
  const body = uid.slice(uid.indexOf('_') + 1);
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(body)) throw new RangeError(`${uid} is not a public id`);
  // The 26 digits are 130 bits, of which the first two are zero. Each four of the other bits are a hexadecimal digit.
  let [hex, rest, held] = ['', ALPHABET.indexOf(body[0]!), 3];
  for (let at = 1; at < body.length; at += 1) {
    rest = (rest << 5) | ALPHABET.indexOf(body[at]!);
    for (held += 5; held >= 4; held -= 4) {
      hex += HEX[(rest >> (held - 4)) & 15];
    }
    rest &= (1 << held) - 1;
  }
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
