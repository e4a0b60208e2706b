import { readConnection } from './connection.write.ts';
import { meteredChat, type Metering } from './metered-chat.query.ts';

/**
 * Sends a small request to a model, by default the connection's first model. The call is metered like any other call.
 */
export async function tryConnection(
  metering: Metering,
  { connection, named }: { connection: string; named: string | undefined },
) {
  const { models } = await metering.transaction((em) => readConnection(em, connection));
  const model = named ?? models[0]!;
  const request = { model, system: 'Answer with one word.', user: 'Say ready.', outputTokensMax: 16 };
  return { model, ...(await meteredChat(metering, { connection, purpose: 'test', request })) };
}
