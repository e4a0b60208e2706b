import type { KeyChange } from '#lib/core/rewrap.ts';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, deployment, type Entry } from './command.ts';

/**
 * The command that puts all secrets of one kind under another key. `rewrap` locks and rewrites them, and returns an
 * entry for each that was not under the new key yet. Throws `SecretUnknown` for one that opens with neither key.
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
