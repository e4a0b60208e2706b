import { defineCommand, personOf } from '#lib/governance/command.ts';
import { entryOf, unknownConnection } from './connection-entry.ts';
import { placeOfConnection } from './connection.write.ts';
import { lockTariff, setPrice as writePrice } from './tariff.write.ts';
import type { TokenPrice } from './usage.ts';

type Input = { connection: string; model: string; price: Omit<TokenPrice, 'version'> };

/** Sets the price of a million tokens of a model from now on. */
export const setPrice = defineCommand<Input>()({
  find: (em, { connection }) => placeOfConnection(em, connection),
  unknown: 'connection_unknown',
  lock: (em, { connection }) => lockTariff(em, connection),
  facts: async () => undefined,
  decide: () => ({ ok: true }) as const,
  async write(em, _facts, _verdict, at) {
    const { connection, model, price } = at.input;
    const author = { by: personOf(at), now: at.now };
    return { result: { version: await writePrice(em, connection, model, price, author) } };
  },
  entry: (_facts, _verdict, { connection, model, price: { currency } }, set) =>
    entryOf('ai.price_set', connection, { model, version: set!.version, currency }),
  refusals: unknownConnection,
});
