import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ConflictKind, HashGrade } from './evidence.ts';
import type { ConflictState, EvidenceSubject } from './evidence-conflict.ts';

const EvidenceConflictSchema = defineEntity({
  name: 'EvidenceConflict',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    subjectType: p.text().$type<EvidenceSubject>(),
    subjectUid: p.text(),
    kind: p.text().$type<ConflictKind>(),
    offeredSourceHash: p.text(),
    offeredHashGrade: p.text().$type<HashGrade>(),
    offeredPayloadHash: p.text(),
    offeredContent: p.json<Record<string, unknown>>(),
    /** JSON pointers to the fields that differ. */
    differing: p.array(),
    state: p.text().$type<ConflictState>(),
    timesOffered: p.integer(),
    offeredAt: p.datetime(),
    offeredByUid: p.text(),
    resolvedByUid: p.text().nullable(),
    resolvedAt: p.datetime().nullable(),
    reason: p.text().nullable(),
  },
});

/** Evidence that was refused because it contradicts a record, kept so that a person can review it. */
export class EvidenceConflict extends EvidenceConflictSchema.class {}
EvidenceConflictSchema.setClass(EvidenceConflict);
