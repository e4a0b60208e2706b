import { decrypt, encrypt } from './encryption.ts';
import { Refusal } from './refusal.ts';

/** The key that stored secrets are under, and the one that they come under. */
export type KeyChange = { from: Buffer; to: Buffer };

/** A stored secret that is under neither key. */
export class SecretUnknown extends Refusal {
  constructor(about: string) {
    const opened = `the secret of ${about} opens neither with the old key nor with the new one`;
    super('secret_unknown', `${opened}; nothing was changed`);
    this.name = 'SecretUnknown';
  }
}

/** What is encrypted, under the new key; undefined where it is under that one already. */
export function rewrap(sealed: string, { from, to }: KeyChange, about: string): string | undefined {
  if (opened(sealed, to, about) !== undefined) return undefined;
  const secret = opened(sealed, from, about);
  if (secret === undefined) throw new SecretUnknown(about);
  return encrypt(secret, to, about);
}

function opened(sealed: string, key: Buffer, about: string): string | undefined {
  try {
    return decrypt(sealed, key, about);
  } catch {
    return undefined;
  }
}
