import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { entryOf, unknownConnection } from './connection-entry.ts';
import {
  lockConnection,
  placeOfConnection,
  readConnection,
  revokeConnection as writeRevoked,
} from './connection.write.ts';

type RevokeVerdict = { ok: true } | { ok: false; code: 'connection_revoked' };

/** Revokes a connection. No further calls are made on it, and its usage remains recorded. */
export const revokeConnection = defineCommand<{ connection: string }>()({
  find: (em, { connection }) => placeOfConnection(em, connection),
  unknown: 'connection_unknown',
  lock: (em, { connection }) => lockConnection(em, connection),
  facts: async (_em, state) => state,
  decide: (state): RevokeVerdict =>
    state === 'active' ? { ok: true } : { ok: false, code: 'connection_revoked' },
  async write(em, _state, _verdict, at) {
    const { connection } = at.input;
    await writeRevoked(em, connection, { by: personOf(at), now: at.now });
    return { result: await readConnection(em, connection) };
  },
  entry: (_state, { ok }, { connection }) => (ok ? entryOf('ai.connection_revoked', connection) : undefined),
  refusals: {
    ...unknownConnection,
    connection_revoked: 'The AI connection is already revoked.',
  } satisfies Record<RefusalCode<RevokeVerdict> | 'connection_unknown', string>,
});
