import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { minorDigits } from '#lib/core/money.ts';
import { Closed, Line } from '#lib/core/schema.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';
import { executionModes } from '../delegations/terms.ts';
import { actionFaults } from './action.ts';
import { CurrencyCode } from './limits.ts';
import { fault, KeyWord } from './role.ts';

/** A way to the outside, and what goes through it. No credential of it is kept here. */
export const connectorKind = defineKind({
  kind: 'connector',
  prefix: prefixes.connector,
  about: 'ways to the outside, with the actions, currencies and modes that go through them',
  schema: Closed({
    actions: Type.Array(KeyWord, { minItems: 1, maxItems: 100, uniqueItems: true }),
    currencies: Type.Array(CurrencyCode, { minItems: 1, maxItems: 200, uniqueItems: true }),
    execution_modes: Type.Array(Type.Enum([...executionModes]), { minItems: 1, uniqueItems: true }),
    description: Type.Optional(Line(500, 'What it is.', 'SEPA credit transfers.')),
  }),
  async check(em, { actions, currencies }, { tenant }) {
    return [
      ...(await actionFaults(em, tenant, actions, '/actions')),
      ...currencies.flatMap((currency, index) =>
        minorDigits(currency) === undefined
          ? [fault(`/currencies/${index}`, 'invalid_currency', 'must be a currency of ISO 4217 in force')]
          : [],
      ),
    ];
  },
});
