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
    /** The known-at time: the snapshot includes every transaction recorded by this time. */
    knownAt: p.datetime(),
    content: p.json<SnapshotContent>(),
    /** SHA-256 of the RFC 8785 form of the content. */
    sealedHash: p.text(),
    /**
     * The most recent snapshot taken before this one for the same day or, if there is none, for the closest previous
     * day.
     */
    previousUid: p.text().nullable(),
    /**
     * The number of late transactions. A transaction is late if it was recorded or posted after the previous snapshot
     * was taken, but is booked on or before the day of that snapshot.
     */
    lateTransactions: p.integer(),
  },
});

/** The sealed balances at the end of a day, computed from the transactions that were recorded by the known-at time. */
export class LedgerSnapshot extends LedgerSnapshotSchema.class {}
LedgerSnapshotSchema.setClass(LedgerSnapshot);
