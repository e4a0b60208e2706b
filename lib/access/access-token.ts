import { checksum, isChecked, randomBase62, SECRET_LENGTH } from './secret.ts';

const PREFIX = 'svc_at_';
const FORM = /^svc_at_[0-9A-Za-z]{49}$/;

/** Returns a new OAuth access token: opaque, with 256 random bits and a checksum. */
export function newAccessToken(): string {
  const unchecked = PREFIX + randomBase62(SECRET_LENGTH);
  return unchecked + checksum(unchecked);
}

/** Whether a text has the form of an access token, including a valid checksum. */
export function isAccessToken(text: string): boolean {
  return FORM.test(text) && isChecked(text);
}
