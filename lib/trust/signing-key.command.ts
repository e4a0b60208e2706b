import { encryptionKey } from '#lib/core/encryption.ts';
import type { WorkersKey } from '#lib/core/workers-key.ts';
import { defineCommand, deployment } from '#lib/governance/command.ts';
import { rewrapSecrets } from '#lib/governance/rewrap-secrets.ts';
import { ensureSigningKey, lockKeys, rewrapSigningKeys, rotateSigningKey } from './signing-key.write.ts';

/**
 * What the private halves are encrypted with. Who knows the password of the operator's role alone cannot tell it.
 */
export const signingKeys: WorkersKey = {
  variable: 'SIGNING_SECRET',
  code: 'signing_secret_missing',
  keyOf: encryptionKey,
};

type Input = {
  /** Encrypts the private half. */
  secret: Buffer;
};

/** Retires the key that signs evidence and makes a new one, which signs from now on. */
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

/** Makes the first key of a deployment, where there has been none. The log does not keep it. */
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

/** Puts the private halves of signing keys under another secret. */
export const rewrapKeys = rewrapSecrets(async (em, change) =>
  (await rewrapSigningKeys(em, change)).map((uid) => ({
    op: 'signing_key.rewrapped',
    subject: { type: 'signing_key', uid },
  })),
);
