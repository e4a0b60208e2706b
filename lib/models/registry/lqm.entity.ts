import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { LqmDefinition, LqmFamily, LqmPurpose } from './lqm.ts';

const LqmModelSchema = defineEntity({
  name: 'LqmModel',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    /** Key of the model, unique in the workspace and environment. */
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
    /** Number of the version, starting at 1. */
    version: p.integer(),
    definition: p.json<LqmDefinition>(),
    /** SHA-256 of the RFC 8785 form of the definition. */
    contentHash: p.text(),
    authorUid: p.text(),
    createdAt: p.datetime(),
    /** The sealed evaluation on which the approval is based. The next column is the checkpoint of that evaluation. */
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
 * A version of a numeric model. Its definition never changes. Its state follows from its sealed runs and from two
 * decisions: the approval and the retirement.
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
    /** The model whose predictions the entry is about; null for generative runs, for which a tenant has one model. */
    modelUid: p.text().nullable(),
    /** The serving version from the time of the entry on; null if there is none. */
    versionUid: p.text().nullable(),
    setByUid: p.text(),
    since: p.datetime(),
  },
});

/**
 * An entry in the history of serving versions: which version is used for a purpose from a time on. The latest entry is
 * in force.
 */
export class LqmServing extends LqmServingSchema.class {}
LqmServingSchema.setClass(LqmServing);
