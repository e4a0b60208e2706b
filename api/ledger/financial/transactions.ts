import Type, { type Static } from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { wireMinor } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, ListOf, pageQuery } from '#lib/core/schema.ts';
import {
  listTransactions as readTransactions,
  type LedgerTransaction,
} from '#lib/ledger/transaction.query.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { AccountUid, CurrencyCode, Status, Transaction } from './transaction.schema.ts';

const PATH = '/financial/transactions';

export const listTransactions = defineOperation({
  key: 'financial.transactions.list',
  product: 'Financial data',
  method: 'GET',
  path: PATH,
  scope: 'financial:read',
  summary: 'Lists the transactions of all accounts, newest first.',
  description:
    'Transactions are imported with their evidence, and their content never changes. A reversal is a ' +
    'separate transaction.',
  query: Closed({
    ...pageQuery,
    from: Type.Optional({ ...IsoDate, description: 'First booking day (UTC), inclusive.' }),
    to: Type.Optional({ ...IsoDate, description: 'Last booking day (UTC), inclusive.' }),
    currency: Type.Optional({ ...CurrencyCode, description: 'Returns only transactions in this currency.' }),
    account: Type.Optional({ ...AccountUid, description: 'Returns only transactions of this account.' }),
    status: Type.Optional({ ...Status, description: 'Returns only transactions with this status.' }),
  }),
  success: { status: 200, description: 'A page of transactions.', schema: ListOf(Transaction) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { from, to, currency, account, status } = query;
    return listReply(services, query, {
      list: PATH,
      filters: {
        from: from ?? null,
        to: to ?? null,
        currency: currency ?? null,
        account: account ?? null,
        status: status ?? null,
      },
      rows: (em, page) => readTransactions(em, { from, to, currency, account, status, ...page }),
      present,
    });
  },
});

export const getTransaction = defineOperation({
  key: 'financial.transactions.get',
  product: 'Financial data',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'financial:read',
  addition: true,
  summary: 'Returns a transaction.',
  description:
    'The answer has the transaction as reported by its source, its evidence, and its reversal if there ' +
    'is one.',
  success: { status: 200, description: 'The transaction.', schema: Transaction },
  problems: ['not_found'],
  async handle({ services, params: { uid }, fail }) {
    const [found] = isUid(uid, prefixes.ledgerTransaction)
      ? await services.query(readTransactions, { uid, limit: 1 })
      : [];
    if (!found) fail('not_found', 'There is no such transaction.');
    return { status: 200, body: present(found!) };
  },
});

function present(row: LedgerTransaction): Static<typeof Transaction> {
  return {
    uid: row.uid,
    booked_at: row.bookedAt.toISOString(),
    value_date: row.valueDate,
    direction: row.direction,
    currency: row.currency,
    amount_minor: wireMinor(row.amountMinor),
    amount_scale: row.amountScale,
    counterparty_id: row.counterpartyId,
    account_uid: row.accountUid,
    description: row.description,
    category: row.category,
    status: row.status,
    reverses: row.reverses,
    reversed_by: row.reversedBy,
    evidence: {
      uid: row.importUid,
      source_system: row.sourceSystem,
      source_reference: row.sourceReference,
      source_hash: row.sourceHash,
      hash_grade: 'sha256',
      first_seen_at: row.firstSeenAt.toISOString(),
      last_seen_at: row.lastSeenAt.toISOString(),
      times_seen: row.timesSeen,
      conflicts_open: 0,
    },
  };
}
