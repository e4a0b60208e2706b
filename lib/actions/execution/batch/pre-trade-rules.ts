import Type from 'typebox';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Minor } from '#lib/core/schema.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';
import { InstrumentSchema } from './batch-file.ts';

/** The key of the rules for order batches. Without active rules, every control fails. */
export const DEFAULT_RULES = 'default';

const CurrencyLimits = Type.Array(
  Closed({
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    limit_minor: Minor('The limit, in minor units.', 1),
  }),
  {
    maxItems: 200,
    description:
      'The limits, one per currency. A currency without a limit is not evaluated, so its control fails.',
  },
);

/** The rules that order batches are checked against before approval and release. */
export const preTradeRulesKind = defineKind({
  kind: 'pre_trade_rules',
  prefix: prefixes.preTradeRules,
  schema: Closed({
    max_orders: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    gross: CurrencyLimits,
    per_order: CurrencyLimits,
    known_instruments: Type.Array(InstrumentSchema, { maxItems: 20_000 }),
    restricted_instruments: Type.Array(InstrumentSchema, { maxItems: 20_000 }),
    valid_minutes: Type.Integer({
      minimum: 1,
      maximum: 10_080,
      description: 'Minutes for which an evaluation is valid, 1 to 10,080.',
    }),
  }),
  keyOf: () => DEFAULT_RULES,
  async check(_em, { gross, per_order }) {
    const lists = Object.entries({ gross, per_order });
    return lists.flatMap(([name, limits]) =>
      limits.flatMap(({ currency }, at) => {
        const pointer = `/${name}/${at}/currency`;
        const isFirst = limits.findIndex((each) => each.currency === currency) === at;
        if (isFirst && minorDigits(currency) !== undefined) return [];
        return [
          {
            pointer,
            code: 'invalid_currency',
            message: 'must be an active currency, and unique in the list',
          },
        ];
      }),
    );
  },
});
