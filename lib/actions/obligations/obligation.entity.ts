import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { HashGrade } from '#lib/governance/evidence.ts';
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
    /** SHA-256 of the source and the content. */
    recordHash: p.text(),
    conflictsOpen: p.integer(),
    /** The number of times that the same source was submitted, including the first time. */
    timesSeen: p.integer(),
    lastSeenAt: p.datetime(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
    supersedesUid: p.text().nullable(),
  },
});

/** A registered debt or claim with its source. Registering an obligation grants no authority to act on it. */
export class Obligation extends ObligationSchema.class {}
ObligationSchema.setClass(Obligation);
