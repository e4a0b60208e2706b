import { hkdfSync, randomBytes } from 'node:crypto';
import { decrypt, encrypt, keyFor } from './encryption.ts';
import { rewrap, type KeyChange } from './rewrap.ts';

/**
 * A secret under a data key of its own, which is under the key encryption key: that one can be changed without the secrets
 * being known to anybody, and no two secrets share a key.
 */
export type Envelope = {
  /** Names the key encryption key; tells nothing of it. */
  keyId: string;
  wrappedKey: string;
  sealed: string;
};

/** The key encryption key that operators and workers share: the one that is set, or else one of the worker's password. */
export function keyEncryptionKey(given: string | undefined, workerPassword: string): Buffer {
  return keyFor('key encryption', given, workerPassword);
}

/** AES-256-GCM twice. `about` says whose secret it is: moved to another record it does not open. */
export function sealEnvelope(secret: string, key: Buffer, about: string): Envelope {
  const dataKey = randomBytes(32);
  return {
    keyId: keyIdOf(key),
    wrappedKey: encrypt(dataKey.toString('base64'), key, about),
    sealed: encrypt(secret, dataKey, about),
  };
}

/** Undefined where it was changed, moved, or made with another key. */
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

/** The data key under the new key encryption key; the secret itself is not touched. Undefined where it is so already. */
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
