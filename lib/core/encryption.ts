import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Returns the encryption key of a deployment: the configured key, otherwise a key derived from the operator's password.
 */
export function encryptionKey(given: string | undefined, operatorPassword: string): Buffer {
  return keyFor('encryption at rest', given, operatorPassword);
}

/**
 * Returns the encryption key for the secrets of webhooks: the configured key, otherwise a key derived from the worker's
 * password. Workers read these secrets.
 */
export function webhookKey(given: string | undefined, workerPassword: string): Buffer {
  return keyFor('webhooks at rest', given, workerPassword);
}

/**
 * Returns the configured key, given in base64. If no key is configured, derives a key from a password; keys for
 * different purposes differ.
 */
export function keyFor(purpose: string, given: string | undefined, password: string): Buffer {
  if (given !== undefined) return Buffer.from(given, 'base64');
  return Buffer.from(hkdfSync('sha256', password, '', `assay ${purpose}`, 32));
}

/**
 * Encrypts a text with AES-256-GCM. `about` names the owner of the secret. An encrypted text that was moved to another
 * owner's record cannot be decrypted.
 */
export function encrypt(text: string, key: Buffer, about: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${sealed.toString('base64url')}`;
}

/** Decrypts a text. Throws if the text was changed, moved to another record, or encrypted with another key. */
export function decrypt(sealed: string, key: Buffer, about: string): string {
  const [version, content] = sealed.split('.');
  if (version !== VERSION) throw new Error('the secret has an unknown encryption format');
  const bytes = Buffer.from(content!, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES)).setAAD(
    Buffer.from(about),
  );
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
