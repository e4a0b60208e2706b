import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { minorDigits } from '#lib/core/money.ts';
import { Closed, Line } from '#lib/core/schema.ts';
import { defineKind } from '#lib/governance/governed/kind.ts';
import { executionModes } from '../delegations/terms.ts';
import { actionFaults } from './action.ts';
import { CurrencyCode } from './limits.ts';
import { fault, KeyWord } from './role.ts';

/**
 * A channel to an external system, and the actions that can use it. The credentials of the channel are not stored in
 * this record.
 */
export const connectorKind = defineKind({
  kind: 'connector',
  prefix: prefixes.connector,
  schema: Closed({
    actions: Type.Array(KeyWord, { minItems: 1, maxItems: 100, uniqueItems: true }),
    currencies: Type.Array(CurrencyCode, { minItems: 1, maxItems: 200, uniqueItems: true }),
    execution_modes: Type.Array(Type.Enum([...executionModes]), { minItems: 1, uniqueItems: true }),
    description: Type.Optional(
      Line(500, 'The purpose of the connector, 1 to 500 characters.', 'SEPA credit transfers.'),
    ),
  }),
  async check(em, { actions, currencies }, { tenant }) {
    return [
      ...(await actionFaults(em, tenant, actions, '/actions')),
      ...currencies.flatMap((currency, index) =>
        minorDigits(currency) === undefined
          ? [fault(`/currencies/${index}`, 'invalid_currency', 'must be an active ISO 4217 currency')]
          : [],
      ),
    ];
  },
});
