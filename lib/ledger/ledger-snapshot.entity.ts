import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { SnapshotContent } from './balances.ts';

const LedgerAccountSchema = defineEntity({
  name: 'LedgerAccount',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    /** The key of the account in its source; unique per tenant. */
    key: p.text(),
    name: p.text().nullable(),
    currency: p.text(),
    createdAt: p.datetime(),
  },
});

/** An account that holds money in one currency. */
export class LedgerAccount extends LedgerAccountSchema.class {}
LedgerAccountSchema.setClass(LedgerAccount);

const LedgerSnapshotSchema = defineEntity({
  name: 'LedgerSnapshot',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    asOf: p.date(),
    /** The time of the state of knowledge. The snapshot includes every transaction recorded by this time. */
    knownAt: p.datetime(),
    content: p.json<SnapshotContent>(),
    /** SHA-256 of the RFC 8785 form of the content. */
    sealedHash: p.text(),
    /** The newest earlier snapshot of the same or a previous day. */
    previousUid: p.text().nullable(),
    /**
     * The number of late transactions. A transaction is late if it was recorded after the previous snapshot for a day
     * that this snapshot covered.
     */
    lateTransactions: p.integer(),
  },
});

/** The sealed balances at the end of a day, from the transactions recorded up to a moment. */
export class LedgerSnapshot extends LedgerSnapshotSchema.class {}
LedgerSnapshotSchema.setClass(LedgerSnapshot);
