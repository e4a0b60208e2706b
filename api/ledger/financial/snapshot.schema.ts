import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { AccountUid, CurrencyCode, Scale } from './transaction.schema.ts';

/** Accounts and currencies of a snapshot. */
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
    uid: Uid(prefixes.ledgerSnapshot, 'The snapshot.'),
    as_of: { ...IsoDate, description: 'The day (UTC) at whose end the balances are.' },
    balances: Type.Array(
      Closed(
        {
          account_uid: AccountUid,
          currency: CurrencyCode,
          amount_scale: Scale,
          ledger_minor: SignedMinor('Everything posted, credits less debits, in minor units.'),
          available_minor: Nullable(
            SignedMinor('The same less pending debits.'),
            'The same less pending debits; null where the source announces none, so that nobody knows them.',
          ),
        },
        { title: 'AccountBalance', description: 'The balance of an account.' },
      ),
      { maxItems: ACCOUNTS_MAX, description: 'By account, in the order of their uids.' },
    ),
    by_currency: Type.Array(
      Closed(
        { currency: CurrencyCode, ledger_minor: SignedMinor('The sum over its accounts, in minor units.') },
        { title: 'CurrencyBalance', description: 'The balance of all accounts of a currency.' },
      ),
      { maxItems: ACCOUNTS_MAX, description: 'By currency, in the order of their codes.' },
    ),
    fx: Closed(
      { applied: Type.Literal(false, { description: 'Nothing is converted.' }) },
      { description: 'What was converted between currencies: nothing, ever.' },
    ),
    transactions: Closed(
      {
        count: count('How many transactions count.'),
        last_uid: Nullable(
          Uid(prefixes.ledgerTransaction, 'The newest of them.'),
          'The newest of them; null where there is none.',
        ),
      },
      { description: 'What the balances are replayed from.' },
    ),
    sealed_hash: Sha256Of(
      'SHA-256 of the RFC 8785 form of the object of as_of, balances, by_currency, fx and transactions.',
    ),
    known_at: InstantOf('What was recorded by then counts.'),
    previous_uid: Nullable(
      Uid(prefixes.ledgerSnapshot, 'The newest snapshot before it.'),
      'The newest snapshot before it of the same or an earlier day; null for the first.',
    ),
    late_transactions: count(
      'How many transactions were recorded after the previous snapshot about days that it covers.',
    ),
  },
  { title: 'BalanceSnapshot', description: 'Balances at the end of a day. It never changes.' },
);
