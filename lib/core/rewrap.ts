import { decrypt, encrypt } from './encryption.ts';
import { Refusal } from './refusal.ts';

/** The current key of stored secrets (`from`), and the key that replaces it (`to`). */
export type KeyChange = { from: Buffer; to: Buffer };

/** Reports a stored secret that neither key decrypts. */
export class SecretUnknown extends Refusal {
  constructor(about: string) {
    const opened = `neither the old key nor the new one decrypts the secret of ${about}`;
    super('secret_unknown', `${opened}; nothing was changed`);
    this.name = 'SecretUnknown';
  }
}

/** Encrypts a stored secret with the new key. Returns undefined if the secret already uses the new key. */
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
