import { decrypt, encrypt } from './encryption.ts';
import { Refusal } from './refusal.ts';

/** The current key of stored secrets, and their next key. */
export type KeyChange = { from: Buffer; to: Buffer };

/** A stored secret that neither key decrypts. */
export class SecretUnknown extends Refusal {
  constructor(about: string) {
    const opened = `neither the old key nor the new one decrypts the secret of ${about}`;
    super('secret_unknown', `${opened}; nothing was changed`);
    this.name = 'SecretUnknown';
  }
}

/** Encrypts a secret with the new key. Undefined if that is already its key. */
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
