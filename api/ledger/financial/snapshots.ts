import Type, { type Static } from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, ListOf, pageQuery } from '#lib/core/schema.ts';
import type { LedgerSnapshot } from '#lib/ledger/ledger-snapshot.entity.ts';
import { findSnapshot, listSnapshots as readSnapshots } from '#lib/ledger/snapshot.query.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { BalanceSnapshot } from './snapshot.schema.ts';

const PATH = '/financial/snapshots';

export const listSnapshots = defineOperation({
  key: 'financial.snapshots.list',
  product: 'Financial data',
  method: 'GET',
  path: PATH,
  scope: 'financial:read',
  summary: 'Lists sealed balance snapshots, newest first.',
  description:
    'A snapshot has the balances at the end of a day, per account and per currency. Amounts are never ' +
    'converted.',
  query: Closed({
    ...pageQuery,
    from: Type.Optional({ ...IsoDate, description: 'First day of the balances, inclusive.' }),
    to: Type.Optional({ ...IsoDate, description: 'Last day of the balances, inclusive.' }),
  }),
  success: { status: 200, description: 'A page of snapshots.', schema: ListOf(BalanceSnapshot) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { from, to } = query;
    return listReply(services, query, {
      list: PATH,
      filters: { from: from ?? null, to: to ?? null },
      rows: (em, page) => readSnapshots(em, { from, to, ...page }),
      present,
    });
  },
});

export const getSnapshot = defineOperation({
  key: 'financial.snapshots.get',
  product: 'Financial data',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'financial:read',
  addition: true,
  summary: 'Returns a sealed balance snapshot.',
  description: 'The sealed hash can be recomputed from the answer alone.',
  success: { status: 200, description: 'The snapshot.', schema: BalanceSnapshot },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const { uid } = params;
    const found = isUid(uid, prefixes.ledgerSnapshot) ? await services.query(findSnapshot, uid) : null;
    if (!found) fail('not_found', 'There is no such snapshot.');
    return { status: 200, body: present(found!) };
  },
});

function present(snapshot: LedgerSnapshot): Static<typeof BalanceSnapshot> {
  const { content } = snapshot;
  return {
    uid: snapshot.uid,
    as_of: content.as_of,
    balances: content.balances,
    by_currency: content.by_currency,
    fx: content.fx,
    transactions: content.transactions,
    sealed_hash: snapshot.sealedHash,
    known_at: snapshot.knownAt.toISOString(),
    previous_uid: snapshot.previousUid ?? null,
    late_transactions: snapshot.lateTransactions,
  };
}
