import type { KeyChange } from '#lib/core/rewrap.ts';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, deployment, type Entry } from './command.ts';

/**
 * Returns a command that encrypts all secrets of one kind with another key. `rewrap` locks and rewrites the secrets,
 * and returns an audit entry for each secret that did not use the new key yet. It throws `SecretUnknown` if neither key
 * decrypts a secret.
 */
export function rewrapSecrets(rewrap: (em: Em, change: KeyChange) => Promise<readonly Entry[]>) {
  return defineCommand<KeyChange>()({
    find: async () => deployment,
    lock: async () => undefined,
    facts: async () => undefined,
    decide: () => ({ ok: true as const }),
    async write(em, _facts, _verdict, { input }) {
      const consequences = await rewrap(em, input);
      return { result: { rewrapped: consequences.length }, consequences };
    },
    entry: () => undefined,
    refusals: {},
  });
}
