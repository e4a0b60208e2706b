import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { LqmDefinition, LqmFamily, LqmPurpose } from './lqm.ts';

const LqmModelSchema = defineEntity({
  name: 'LqmModel',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    /** Unique in the workspace and environment. */
    key: p.text(),
    name: p.text(),
    family: p.text().$type<LqmFamily>(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
  },
});

/** A numeric model of a workspace (LQM). */
export class LqmModel extends LqmModelSchema.class {}
LqmModelSchema.setClass(LqmModel);

const LqmVersionSchema = defineEntity({
  name: 'LqmVersion',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    modelUid: p.text(),
    /** Counts from 1. */
    version: p.integer(),
    definition: p.json<LqmDefinition>(),
    /** SHA-256 of the RFC 8785 form of the definition. */
    contentHash: p.text(),
    authorUid: p.text(),
    createdAt: p.datetime(),
    /** The sealed evaluation that the approval rests on, and the checkpoint it is of. */
    evaluationUid: p.text().nullable(),
    checkpointHash: p.text().nullable(),
    approvedByUid: p.text().nullable(),
    approvedAt: p.datetime().nullable(),
    retiredByUid: p.text().nullable(),
    retiredAt: p.datetime().nullable(),
    retiredReason: p.text().nullable(),
  },
});

/** A version of a numeric model. What it is never changes; what became of it are its sealed runs and two decisions. */
export class LqmVersion extends LqmVersionSchema.class {}
LqmVersionSchema.setClass(LqmVersion);

const LqmServingSchema = defineEntity({
  name: 'LqmServing',
  filters: tenantFilter,
  properties: {
    id: p.bigint().primary(),
    ...tenantColumns,
    purpose: p.text().$type<LqmPurpose>(),
    /** Whose predictions it serves; null for generative runs, which one model of the tenant serves. */
    modelUid: p.text().nullable(),
    /** The version that serves from then on; null when none does. */
    versionUid: p.text().nullable(),
    setByUid: p.text(),
    since: p.datetime(),
  },
});

/** The history of which version served a purpose; the latest entry holds. */
export class LqmServing extends LqmServingSchema.class {}
LqmServingSchema.setClass(LqmServing);
