import { defineCommand, personOf } from '#lib/governance/command.ts';
import { entryOf, unknownConnection } from './connection-entry.ts';
import {
  keptKey,
  lockConnection,
  placeOfConnection,
  readConnection,
  setConnectionKey,
} from './connection.write.ts';

type Input = {
  connection: string;
  /** The new key of the provider in clear text. `wrappingKey` encrypts it. */
  key: string;
  wrappingKey: Buffer;
};

/** Changes the key that a connection uses from now on. */
export const rotateConnectionKey = defineCommand<Input>()({
  find: (em, { connection }) => placeOfConnection(em, connection),
  unknown: 'connection_unknown',
  lock: (em, { connection }) => lockConnection(em, connection),
  facts: async () => undefined,
  decide: () => ({ ok: true }) as const,
  async write(em, _facts, _verdict, at) {
    const { connection, key, wrappingKey } = at.input;
    const kept = keptKey(wrappingKey, connection, key);
    await setConnectionKey(em, connection, kept, { by: personOf(at), now: at.now });
    return { result: await readConnection(em, connection) };
  },
  entry: (_facts, _verdict, { connection }) => entryOf('ai.key_rotated', connection),
  refusals: unknownConnection,
});
