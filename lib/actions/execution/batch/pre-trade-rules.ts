import Type from 'typebox';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Minor } from '#lib/core/schema.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';
import { InstrumentSchema } from './batch-file.ts';

/** The key of the rules that batches are measured by; without rules in force no control passes. */
export const DEFAULT_RULES = 'default';

const CurrencyLimits = Type.Array(
  Closed({
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    limit_minor: Minor('Most, in minor units.', 1),
  }),
  {
    maxItems: 200,
    description: 'One limit a currency; a currency without one is not evaluated, and so fails.',
  },
);

/** What order batches are measured by before they are approved and released. */
export const preTradeRulesKind = defineKind({
  kind: 'pre_trade_rules',
  prefix: prefixes.preTradeRules,
  about: 'the limits and lists of pre-trade controls',
  schema: Closed({
    max_orders: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    gross: CurrencyLimits,
    per_order: CurrencyLimits,
    known_instruments: Type.Array(InstrumentSchema, { maxItems: 20_000 }),
    restricted_instruments: Type.Array(InstrumentSchema, { maxItems: 20_000 }),
    valid_minutes: Type.Integer({ minimum: 1, maximum: 10_080, description: 'How long a result counts.' }),
  }),
  keyOf: () => DEFAULT_RULES,
  async check(_em, { gross, per_order }) {
    const lists = Object.entries({ gross, per_order });
    return lists.flatMap(([name, limits]) =>
      limits.flatMap(({ currency }, at) => {
        const pointer = `/${name}/${at}/currency`;
        const isFirst = limits.findIndex((each) => each.currency === currency) === at;
        if (isFirst && minorDigits(currency) !== undefined) return [];
        return [{ pointer, code: 'invalid_currency', message: 'must be in force, and there once' }];
      }),
    );
  },
});
