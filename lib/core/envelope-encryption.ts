import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt, keyFor } from './encryption.ts';
import { rewrap, type KeyChange } from './rewrap.ts';

/**
 * A secret encrypted with its own data key, which is encrypted with the key encryption key. The key
 * encryption key can be changed without decrypting the secrets, and no two secrets share a key.
 */
export type Envelope = {
  /** The name of the key encryption key. It reveals nothing about the key. */
  keyId: string;
  wrappedKey: string;
  sealed: string;
};

/**
 * Returns the key encryption key that operators and workers share: the configured key, otherwise a key derived from the
 * worker's password.
 */
export function keyEncryptionKey(given: string | undefined, workerPassword: string): Buffer {
  return keyFor('key encryption', given, workerPassword);
}

/**
 * Encrypts a secret with a new data key, and the data key with the key encryption key, both with AES-256-GCM. `about`
 * names the owner of the secret. An envelope that was moved to another owner's record cannot be opened.
 */
export function sealEnvelope(secret: string, key: Buffer, about: string): Envelope {
  const dataKey = randomBytes(32);
  return {
    keyId: keyIdOf(key),
    wrappedKey: encrypt(dataKey.toString('base64'), key, about),
    sealed: encrypt(secret, dataKey, about),
  };
}

/**
 * Returns the secret of an envelope. Returns undefined if the envelope was changed, moved to another record, or made
 * with another key.
 */
export function openEnvelope(
  { keyId, wrappedKey, sealed }: Envelope,
  key: Buffer,
  about: string,
): string | undefined {
  if (keyId !== keyIdOf(key)) return undefined;
  try {
    return decrypt(sealed, Buffer.from(decrypt(wrappedKey, key, about), 'base64'), about);
  } catch {
    return undefined;
  }
}

/**
 * Encrypts the data key of an envelope with the new key encryption key, without decrypting the secret. Returns
 * undefined if the envelope already uses that key.
 */
export function rewrapEnvelope(
  wrappedKey: string,
  change: KeyChange,
  about: string,
): Pick<Envelope, 'keyId' | 'wrappedKey'> | undefined {
  const wrapped = rewrap(wrappedKey, change, about);
  return wrapped === undefined ? undefined : { keyId: keyIdOf(change.to), wrappedKey: wrapped };
}

function keyIdOf(key: Buffer): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'assay key id', 8)).toString('hex');
}
