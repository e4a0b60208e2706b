import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, IsoDate, Minor, Nullable, Uid } from '#lib/core/schema.ts';
import { DESCRIPTION_CHARACTERS_MAX, directions, transactionStatuses } from '#lib/ledger/transaction.ts';

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 alphabetic code of an active currency.',
  examples: ['EUR'],
});

export const Scale = Type.Integer({
  minimum: 0,
  maximum: 9,
  description: 'The number of decimal places of the currency.',
  examples: [2],
});

export const AccountUid = Uid(prefixes.ledgerAccount, 'The uid of the account.');

export const Status = Type.Enum([...transactionStatuses], {
  description:
    'The status: `pending` (announced), `posted` (booked), or `reversed` (undone by another transaction).',
});

export const TransactionEvidence = Closed(
  {
    uid: Uid(prefixes.ledgerImport, 'The import that recorded the transaction.'),
    source_system: Type.String({
      maxLength: 64,
      description: 'The source system of the transaction.',
      examples: ['bank_feed'],
    }),
    source_reference: Type.String({
      maxLength: 200,
      description: 'The identifier of the transaction in the source system.',
      examples: ['2026-11-0001'],
    }),
    source_hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the RFC 8785 form of the source record.',
      examples: ['98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c'],
    }),
    hash_grade: Type.Literal('sha256', {
      description: 'The grade of the hash. A `sha256` hash can be recomputed from the source record.',
    }),
    first_seen_at: InstantOf('When the transaction was first recorded.'),
    last_seen_at: InstantOf('When the source last provided new information about the transaction.'),
    times_seen: Type.Integer({
      minimum: 1,
      maximum: 2,
      description:
        'How often the source provided new information: 2 if the transaction was first pending and then ' +
        'posted, otherwise 1.',
    }),
    conflicts_open: Type.Literal(0, {
      description: 'Always 0: a source record that contradicts a recorded transaction is rejected at import.',
    }),
  },
  { title: 'TransactionEvidence', description: 'The origin of the transaction.' },
);

export const Transaction = Closed(
  {
    uid: Uid(prefixes.ledgerTransaction, 'Identifier of the transaction.'),
    booked_at: Instant,
    value_date: IsoDate,
    direction: Type.Enum([...directions], {
      description: 'The direction of the money: `credit` (incoming) or `debit` (outgoing).',
    }),
    currency: CurrencyCode,
    amount_minor: Minor('The amount, in minor units of the currency.', 1),
    amount_scale: Scale,
    counterparty_id: Nullable(
      Type.Integer({ minimum: 1, examples: [1] }),
      'The counterparty; null if the source does not provide it.',
    ),
    account_uid: AccountUid,
    description: Type.String({
      minLength: 1,
      maxLength: DESCRIPTION_CHARACTERS_MAX,
      description: 'The description from the source.',
      examples: ['Rent November'],
    }),
    category: Nullable(
      Type.String({ maxLength: 200, examples: ['rent'] }),
      'The category from the source; null if the source does not provide one.',
    ),
    status: Status,
    reverses: Nullable(
      Uid(prefixes.ledgerTransaction, 'The reversed transaction.'),
      'The transaction that this transaction reverses; null if there is none.',
    ),
    reversed_by: Nullable(
      Uid(prefixes.ledgerTransaction, 'The reversing transaction.'),
      'The transaction that reverses this transaction; null if there is none.',
    ),
    evidence: TransactionEvidence,
  },
  {
    title: 'Transaction',
    description: 'A movement of money on an account, as reported by its source. Its content never changes.',
  },
);
