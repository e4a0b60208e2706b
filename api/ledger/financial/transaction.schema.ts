import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, IsoDate, Minor, Nullable, Uid } from '#lib/core/schema.ts';
import { DESCRIPTION_CHARACTERS_MAX, directions, transactionStatuses } from '#lib/ledger/transaction.ts';

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 alphabetic code of a currency in force.',
  examples: ['EUR'],
});

export const Scale = Type.Integer({
  minimum: 0,
  maximum: 9,
  description: 'Decimals of the currency.',
  examples: [2],
});

export const AccountUid = Uid(prefixes.ledgerAccount, 'The account.');

export const Status = Type.Enum([...transactionStatuses], {
  description: 'Announced, booked, or taken back by another transaction.',
});

export const TransactionEvidence = Closed(
  {
    uid: Uid(prefixes.ledgerImport, 'The import that brought it.'),
    source_system: Type.String({
      maxLength: 64,
      description: 'The system it comes from.',
      examples: ['bank_feed'],
    }),
    source_reference: Type.String({
      maxLength: 200,
      description: 'What it is called there.',
      examples: ['2026-11-0001'],
    }),
    source_hash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the RFC 8785 form of what the source said.',
      examples: ['98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c'],
    }),
    hash_grade: Type.Literal('sha256', { description: 'The hash can be recomputed from the source.' }),
    first_seen_at: InstantOf('When it was recorded.'),
    last_seen_at: InstantOf('When the source last said something new of it.'),
    times_seen: Type.Integer({
      minimum: 1,
      maximum: 2,
      description: 'What the source said of it: 2 where it was announced and then posted.',
    }),
    conflicts_open: Type.Literal(0, {
      description: 'A source that contradicts a recorded transaction is refused, so there are none.',
    }),
  },
  { title: 'TransactionEvidence', description: 'Where it comes from.' },
);

export const Transaction = Closed(
  {
    uid: Uid(prefixes.ledgerTransaction, 'The transaction.'),
    booked_at: Instant,
    value_date: IsoDate,
    direction: Type.Enum([...directions], {
      description: 'Whether money came in (credit) or went out (debit).',
    }),
    currency: CurrencyCode,
    amount_minor: Minor('The amount, in minor units.', 1),
    amount_scale: Scale,
    counterparty_id: Nullable(
      Type.Integer({ minimum: 1, examples: [1] }),
      'Who stands on the other side; null where the source does not say.',
    ),
    account_uid: AccountUid,
    description: Type.String({
      minLength: 1,
      maxLength: DESCRIPTION_CHARACTERS_MAX,
      description: 'What the source says of it.',
      examples: ['Rent November'],
    }),
    category: Nullable(
      Type.String({ maxLength: 200, examples: ['rent'] }),
      'What the source counts it among; null where it does not say.',
    ),
    status: Status,
    reverses: Nullable(
      Uid(prefixes.ledgerTransaction, 'The transaction that it takes back.'),
      'The transaction that it takes back; null where it is no reversal.',
    ),
    reversed_by: Nullable(
      Uid(prefixes.ledgerTransaction, 'The transaction that takes it back.'),
      'The transaction that takes it back; null where nothing does.',
    ),
    evidence: TransactionEvidence,
  },
  { title: 'Transaction', description: 'What moved on an account, as its source says. It never changes.' },
);
