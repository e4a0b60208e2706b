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
    /** Starts at 1. */
    version: p.integer(),
    definition: p.json<LqmDefinition>(),
    /** SHA-256 of the RFC 8785 form of the definition. */
    contentHash: p.text(),
    authorUid: p.text(),
    createdAt: p.datetime(),
    /** The sealed evaluation behind the approval, and its checkpoint. */
    evaluationUid: p.text().nullable(),
    checkpointHash: p.text().nullable(),
    approvedByUid: p.text().nullable(),
    approvedAt: p.datetime().nullable(),
    retiredByUid: p.text().nullable(),
    retiredAt: p.datetime().nullable(),
    retiredReason: p.text().nullable(),
  },
});

/**
 * A version of a numeric model. Its definition never changes. Its state follows from its sealed runs and two decisions.
 */
export class LqmVersion extends LqmVersionSchema.class {}
LqmVersionSchema.setClass(LqmVersion);

const LqmServingSchema = defineEntity({
  name: 'LqmServing',
  filters: tenantFilter,
  properties: {
    id: p.bigint().primary(),
    ...tenantColumns,
    purpose: p.text().$type<LqmPurpose>(),
    /**
     * The model whose predictions the entry is about; null for generative runs, which one model of the tenant serves.
     */
    modelUid: p.text().nullable(),
    /** The version that serves from then on; null for none. */
    versionUid: p.text().nullable(),
    setByUid: p.text(),
    since: p.datetime(),
  },
});

/** History of the version that serves a purpose. The latest entry is in force. */
export class LqmServing extends LqmServingSchema.class {}
LqmServingSchema.setClass(LqmServing);
