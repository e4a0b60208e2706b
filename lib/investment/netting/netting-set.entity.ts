import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { HashGrade } from '#lib/governance/evidence.ts';
import type { NettingSetTerms } from './netting-set.ts';

const NettingSetSchema = defineEntity({
  name: 'NettingSet',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    version: p.integer(),
    name: p.text(),
    counterpartyId: p.integer(),
    terms: p.json<NettingSetTerms>(),
    termsHash: p.text(),
    sourceReference: p.text(),
    sourceHash: p.text(),
    hashGrade: p.text().$type<HashGrade>(),
    conflictsOpen: p.integer(),
    timesSeen: p.integer(),
    lastSeenAt: p.datetime(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
    /** Uid of the record under the same reference that this record replaced. */
    supersedesUid: p.text().nullable(),
    supersededAt: p.datetime().nullable(),
  },
});

/** The terms of an agreement as they were supplied, with their source. The record never changes. */
export class NettingSet extends NettingSetSchema.class {}
NettingSetSchema.setClass(NettingSet);
