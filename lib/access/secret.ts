import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The number of base62 characters of a secret with 256 random bits. */
export const SECRET_LENGTH = 43;
export const CHECKSUM_LENGTH = 6;

/** Returns the CRC-32 checksum in base62. The checksum detects typing errors. It does not protect against forgery. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let at = 0; at < CHECKSUM_LENGTH; at++) {
    digits = BASE62[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(62)]).join('');
}

/** Whether a text ends with the checksum of the text before it. */
export function isChecked(text: string): boolean {
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}
