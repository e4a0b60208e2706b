import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, ListOf, Nullable, pageQuery, Uid } from '#lib/core/schema.ts';
import type { LedgerAccount } from '#lib/ledger/ledger-snapshot.entity.ts';
import { listAccounts as readAccounts } from '#lib/ledger/snapshot.query.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { CurrencyCode } from './transaction.schema.ts';

const PATH = '/financial/accounts';

const Account = Closed(
  {
    uid: Uid(prefixes.ledgerAccount, 'Identifier of the account.'),
    key: Type.String({
      maxLength: 200,
      description: 'The key of the account in its source.',
      examples: ['main'],
    }),
    name: Nullable(
      Type.String({ maxLength: 200, examples: ['Main account'] }),
      'The display name of the account; null if it has none.',
    ),
    currency: CurrencyCode,
    created_at: InstantOf('When the account was created, by an import or on the command line.'),
  },
  { title: 'LedgerAccount', description: 'An account that holds money in one currency.' },
);

export const listAccounts = defineOperation({
  key: 'financial.accounts.list',
  product: 'Financial data',
  method: 'GET',
  path: PATH,
  scope: 'financial:read',
  addition: true,
  summary: 'Lists the ledger accounts, newest first.',
  description:
    'An account is created on the command line, or by the first import that names the account. An account holds one currency.',
  query: Closed(pageQuery),
  success: { status: 200, description: 'A page of accounts.', schema: ListOf(Account) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    return listReply(services, query, {
      list: PATH,
      filters: {},
      rows: readAccounts,
      present,
    });
  },
});

function present({ uid, key, name, currency, createdAt }: LedgerAccount): Static<typeof Account> {
  return { uid, key, name: name ?? null, currency, created_at: createdAt.toISOString() };
}
