import { randomBase62, SECRET_LENGTH } from '../secret.ts';

/** Returns a new secret of a link or session, with 256 random bits. Only its hash is stored. */
export function newConsoleSecret(): string {
  return randomBase62(SECRET_LENGTH);
}

/** Whether a text has the form of a secret of a link or session. */
export function isConsoleSecret(text: string): boolean {
  return text.length === SECRET_LENGTH && /^[0-9A-Za-z]+$/.test(text);
}
