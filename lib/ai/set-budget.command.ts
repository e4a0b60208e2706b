import { defineCommand, personOf } from '#lib/governance/command.ts';
import { entryOf, unknownConnection } from './connection-entry.ts';
import { placeOfConnection } from './connection.write.ts';
import { lockTariff, setBudget as writeBudget } from './tariff.write.ts';

/** An amount: `text` as the person wrote it, and `micro` in millionths of the currency. */
export type GivenAmount = { text: string; micro: bigint };

type Input = {
  connection: string;
  currency: string;
  /** Limit per day (UTC); null means no limit. */
  daily: GivenAmount | null;
  monthly: GivenAmount | null;
};

/** Limits the cost of a connection's calls per day (UTC) and per calendar month. */
export const setBudget = defineCommand<Input>()({
  find: (em, { connection }) => placeOfConnection(em, connection),
  unknown: 'connection_unknown',
  lock: (em, { connection }) => lockTariff(em, connection),
  facts: async () => undefined,
  decide: () => ({ ok: true }) as const,
  async write(em, _facts, _verdict, at) {
    const { connection, currency, daily, monthly } = at.input;
    const budget = { currency, dailyMicro: daily?.micro ?? null, monthlyMicro: monthly?.micro ?? null };
    await writeBudget(em, connection, budget, { by: personOf(at), now: at.now });
    return { result: undefined };
  },
  entry: (_facts, _verdict, { connection, currency, daily, monthly }) =>
    entryOf('ai.budget_set', connection, {
      currency,
      daily: daily?.text ?? null,
      monthly: monthly?.text ?? null,
    }),
  refusals: unknownConnection,
});
