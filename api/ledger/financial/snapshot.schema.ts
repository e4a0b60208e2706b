import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { AccountUid, CurrencyCode, Scale } from './transaction.schema.ts';

/** The maximum number of accounts and currencies in a snapshot. */
const ACCOUNTS_MAX = 100_000;

function SignedMinor(description: string) {
  return Type.Integer({
    minimum: -Number.MAX_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description,
    examples: [35_050],
  });
}

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] });

export const BalanceSnapshot = Closed(
  {
    uid: Uid(prefixes.ledgerSnapshot, 'Identifier of the snapshot.'),
    as_of: { ...IsoDate, description: 'The day (UTC) at whose end the balances apply.' },
    balances: Type.Array(
      Closed(
        {
          account_uid: AccountUid,
          currency: CurrencyCode,
          amount_scale: Scale,
          ledger_minor: SignedMinor('Posted credits minus posted debits, in minor units.'),
          available_minor: Nullable(
            SignedMinor('The ledger balance minus pending debits, in minor units.'),
            'The ledger balance minus pending debits, in minor units. Null if the source never reports ' +
              'pending transactions.',
          ),
        },
        { title: 'AccountBalance', description: 'The balance of an account.' },
      ),
      { maxItems: ACCOUNTS_MAX, description: 'Balances per account, ordered by account uid.' },
    ),
    by_currency: Type.Array(
      Closed(
        {
          currency: CurrencyCode,
          ledger_minor: SignedMinor('The sum over all accounts of the currency, in minor units.'),
        },
        { title: 'CurrencyBalance', description: 'The balance of all accounts in a currency.' },
      ),
      { maxItems: ACCOUNTS_MAX, description: 'Balances per currency, ordered by currency code.' },
    ),
    fx: Closed(
      { applied: Type.Literal(false, { description: 'Always false: amounts are not converted.' }) },
      { description: 'Currency conversion. Amounts are never converted.' },
    ),
    transactions: Closed(
      {
        count: count('The number of transactions in the balances.'),
        last_uid: Nullable(
          Uid(prefixes.ledgerTransaction, 'The newest transaction.'),
          'The newest transaction in the balances; null if there is none.',
        ),
      },
      { description: 'The transactions from which the balances were computed.' },
    ),
    sealed_hash: Sha256Of(
      'SHA-256 of the RFC 8785 form of an object with `as_of`, `balances`, `by_currency`, `fx` and ' +
        '`transactions`.',
    ),
    known_at: InstantOf('The balances include every transaction recorded by this time.'),
    previous_uid: Nullable(
      Uid(prefixes.ledgerSnapshot, 'The newest earlier snapshot.'),
      'The newest earlier snapshot of the same or a previous day; null for the first snapshot.',
    ),
    late_transactions: count(
      'The number of transactions that were recorded after the previous snapshot but belong to days that the previous snapshot covers.',
    ),
  },
  { title: 'BalanceSnapshot', description: 'Sealed balances at the end of a day. A snapshot never changes.' },
);
