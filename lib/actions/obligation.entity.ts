import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ConflictKind, HashGrade } from '#lib/governance/evidence.ts';
import type { ObligationContent, ObligationState } from './obligation.ts';

const ObligationSchema = defineEntity({
  name: 'Obligation',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    version: p.integer(),
    governanceState: p.text().$type<ObligationState>(),
    counterpartyId: p.integer(),
    sourceSystem: p.text(),
    sourceReference: p.text(),
    sourceHash: p.text(),
    hashGrade: p.text().$type<HashGrade>(),
    currency: p.text(),
    content: p.json<ObligationContent>(),
    /** SHA-256 of source and content. */
    recordHash: p.text(),
    conflictsOpen: p.integer(),
    /** How often the same source was offered, the first time included. */
    timesSeen: p.integer(),
    lastSeenAt: p.datetime(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
    supersedesUid: p.text().nullable(),
  },
});

/** A registered debt or claim with its source. It grants nothing: registering is no authority to act. */
export class Obligation extends ObligationSchema.class {}
ObligationSchema.setClass(Obligation);

export const conflictStates = ['open', 'resolved_keep', 'resolved_supersede'] as const;
export type ConflictState = (typeof conflictStates)[number];

const ObligationConflictSchema = defineEntity({
  name: 'ObligationConflict',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    obligationUid: p.text(),
    kind: p.text().$type<ConflictKind>(),
    offeredSourceHash: p.text(),
    offeredHashGrade: p.text().$type<HashGrade>(),
    offeredPayloadHash: p.text(),
    offeredContent: p.json<ObligationContent>(),
    /** JSON pointers to what differs. */
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

/** Evidence that was refused because it contradicts a record, and kept for a person to look at. */
export class ObligationConflict extends ObligationConflictSchema.class {}
ObligationConflictSchema.setClass(ObligationConflict);
