import { randomUUIDv7 } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The kinds of public ids. One table, so that no two resources share a prefix. */
export const prefixes = {
  workspace: 'wsp',
  person: 'per',
  application: 'app',
  credential: 'key',
  dataset: 'dst',
  datasetImport: 'imp',
  instrument: 'ins',
  themeFactorRun: 'tfr',
  request: 'req',
} as const;

export type Prefix = (typeof prefixes)[keyof typeof prefixes];

/** A new public id: `<prefix>_` and a UUIDv7 in 26 characters of Crockford base32, so ids sort by time. */
export function newUid(prefix: Prefix): string {
  let bits = BigInt(`0x${randomUUIDv7().replaceAll('-', '')}`);
  let text = '';
  for (let digit = 0; digit < 26; digit++) {
    text = ALPHABET[Number(bits & 31n)]! + text;
    bits >>= 5n;
  }
  return `${prefix}_${text}`;
}

/** Whether a text has the form of a public id, of this kind or of any. */
export function isUid(text: string, prefix?: Prefix): boolean {
  return /^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text) && (!prefix || text.startsWith(`${prefix}_`));
}
