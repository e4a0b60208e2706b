import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { SnapshotContent } from './balances.ts';

const LedgerAccountSchema = defineEntity({
  name: 'LedgerAccount',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    /** What the source calls it; unique in the tenant. */
    key: p.text(),
    name: p.text().nullable(),
    currency: p.text(),
    createdAt: p.datetime(),
  },
});

/** Where money is, in one currency. */
export class LedgerAccount extends LedgerAccountSchema.class {}
LedgerAccountSchema.setClass(LedgerAccount);

const LedgerSnapshotSchema = defineEntity({
  name: 'LedgerSnapshot',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    asOf: p.date(),
    /** What was recorded by then counts. */
    knownAt: p.datetime(),
    content: p.json<SnapshotContent>(),
    /** SHA-256 of the RFC 8785 form of the content. */
    sealedHash: p.text(),
    /** The newest one before it of the same day or an earlier one. */
    previousUid: p.text().nullable(),
    /** What was recorded after the previous one about days that it covers. */
    lateTransactions: p.integer(),
  },
});

/** The balances at the end of a day, as the transactions say that were recorded by a moment. */
export class LedgerSnapshot extends LedgerSnapshotSchema.class {}
LedgerSnapshotSchema.setClass(LedgerSnapshot);
