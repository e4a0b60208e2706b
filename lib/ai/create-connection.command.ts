import type { Networks } from '#lib/core/network-address.ts';
import { urlFault, type UrlFault } from '#lib/core/public-agent.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { entryOf } from './connection-entry.ts';
import {
  createConnection as insertConnection,
  keptKey,
  listConnections,
  lockConnections,
  readConnection,
  setConnectionKey,
  type NewConnection,
} from './connection.write.ts';

type Input = Tenant &
  NewConnection & {
    /** The key of the provider in clear text. `wrappingKey` encrypts it. */
    key: string;
    wrappingKey: Buffer;
    /** The networks that are not public, but that connections may reach. */
    networks: Networks;
  };

type CreateVerdict = { ok: true } | { ok: false; code: UrlFault | 'label_taken' };

const addressRefused = "A provider's address is a public https URL without credentials.";

/** Connects a provider with an OpenAI-compatible API. */
export const createConnection = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em) => lockConnections(em),
  facts: (em) => listConnections(em),
  decide(connections, { baseUrl, label, networks }): CreateVerdict {
    const fault = urlFault(baseUrl, networks);
    if (fault) return { ok: false, code: fault };
    const isTaken = connections.some((each) => each.label === label && each.state === 'active');
    return isTaken ? { ok: false, code: 'label_taken' } : { ok: true };
  },
  async write(em, _connections, _verdict, at) {
    const { label, provider, baseUrl, models, key, wrappingKey } = at.input;
    const author = { by: personOf(at), now: at.now };
    const uid = (await insertConnection(em, { label, provider, baseUrl, models }, author))!;
    await setConnectionKey(em, uid, keptKey(wrappingKey, uid, key), author);
    return { result: await readConnection(em, uid) };
  },
  entry: (_connections, _verdict, { baseUrl }, created) =>
    created && entryOf('ai.connection_created', created.uid, { base_url: baseUrl }),
  refusals: {
    ...unknownWorkspace,
    url_invalid: addressRefused,
    url_not_https: addressRefused,
    url_with_credentials: addressRefused,
    address_refused: addressRefused,
    label_taken: 'Another active AI connection already has this label.',
  } satisfies Record<RefusalCode<CreateVerdict> | 'workspace_unknown', string>,
});
