import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { GovernedState } from './states.ts';

const GovernedRecordSchema = defineEntity({
  name: 'GovernedRecord',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    kind: p.text(),
    /** The key that all versions share. */
    key: p.text(),
    version: p.integer(),
    name: p.text(),
    state: p.text().$type<GovernedState>(),
    body: p.json<Record<string, unknown>>(),
    /** SHA-256 of kind, key, version, name and body. */
    bodyHash: p.text(),
    /** Null for records that every workspace starts with. */
    draftedByUid: p.text().nullable(),
    submittedByUid: p.text().nullable(),
    submittedAt: p.datetime().nullable(),
    approvedByUid: p.text().nullable(),
    createdAt: p.datetime(),
    activeAt: p.datetime().nullable(),
    endedByUid: p.text().nullable(),
    endedAt: p.datetime().nullable(),
    endReason: p.text().nullable(),
  },
});

/** One version of a record that needs two persons to become active, such as an authority, a graph or a policy. */
export class GovernedRecord extends GovernedRecordSchema.class {}
GovernedRecordSchema.setClass(GovernedRecord);
