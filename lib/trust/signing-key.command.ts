import { encryptionKey } from '#lib/core/encryption.ts';
import type { WorkersKey } from '#lib/core/workers-key.ts';
import { defineCommand, deployment } from '#lib/governance/command.ts';
import { rewrapSecrets } from '#lib/governance/rewrap-secrets.ts';
import { ensureSigningKey, lockKeys, rewrapSigningKeys, rotateSigningKey } from './signing-key.write.ts';

/**
 * The key encryption key for the private halves of signing keys. This key cannot be derived from the password of the
 * operator role.
 */
export const signingKeys: WorkersKey = {
  variable: 'SIGNING_SECRET',
  code: 'signing_secret_missing',
  keyOf: encryptionKey,
};

type Input = {
  /** The key encryption key for the private half. */
  secret: Buffer;
};

/** Retires the active signing key and creates a new key, which signs from now on. */
export const rotateKey = defineCommand<Input>()({
  find: async () => deployment,
  lock: (em) => lockKeys(em),
  facts: async () => undefined,
  decide: () => ({ ok: true as const }),
  async write(em, _facts, _verdict, { input: { secret }, now }) {
    return { result: await rotateSigningKey(em, secret, now) };
  },
  entry: (_facts, _verdict, _input, key) =>
    key && { op: 'signing_key.rotated', subject: { type: 'signing_key', uid: key.keyid } },
  refusals: {},
});

/**
 * Creates the first signing key of a deployment that has never had a signing key. The creation is not recorded in the
 * audit log.
 */
export const makeFirstKey = defineCommand<Input>()({
  find: async () => deployment,
  lock: (em) => lockKeys(em),
  facts: async () => undefined,
  decide: () => ({ ok: true as const }),
  async write(em, _facts, _verdict, { input: { secret }, now }) {
    return { result: { isMade: await ensureSigningKey(em, secret, now) } };
  },
  entry: () => undefined,
  refusals: {},
});

/** Re-encrypts the private halves of signing keys with another secret. */
export const rewrapKeys = rewrapSecrets(async (em, change) =>
  (await rewrapSigningKeys(em, change)).map((uid) => ({
    op: 'signing_key.rewrapped',
    subject: { type: 'signing_key', uid },
  })),
);
