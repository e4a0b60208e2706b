import { keyEncryptionKey } from '#lib/core/envelope-encryption.ts';
import type { WorkersKey } from '#lib/core/workers-key.ts';
import { placeOf } from '#lib/governance/command.ts';
import { rewrapSecrets } from '#lib/governance/rewrap-secrets.ts';
import { rewrapConnectionKeys } from './connection.write.ts';

/** The key encryption key for the keys of AI providers. Workers share it. */
export const providerKeys: WorkersKey = {
  variable: 'AI_CONNECTION_KEY',
  code: 'encryption_key_missing',
  keyOf: keyEncryptionKey,
};

/** Encrypts the keys of AI providers with another key. */
export const rewrapProviderKeys = rewrapSecrets(async (em, change) =>
  (await rewrapConnectionKeys(em, change)).map((connection) => ({
    op: 'ai_connection.rewrapped',
    subject: { type: 'ai_connection', uid: connection.uid },
    place: placeOf(connection)!,
  })),
);
