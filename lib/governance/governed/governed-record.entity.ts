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
    /** Uid of the drafter; null for records that every workspace starts with. */
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

/**
 * A version of a governed record, such as an authority, a graph or a policy. It becomes active when two persons have
 * approved it.
 */
export class GovernedRecord extends GovernedRecordSchema.class {}
GovernedRecordSchema.setClass(GovernedRecord);
