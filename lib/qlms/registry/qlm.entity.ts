import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { Case } from '../evaluation/suite.ts';
import type { ChangeKind, ServingState } from './states.ts';
import type { QlmProfile } from './profile.schema.ts';

const QlmModelSchema = defineEntity({
  name: 'QlmModel',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    /** Key of the question model, unique in the workspace and environment. */
    key: p.text(),
    name: p.text(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
  },
});

/** A question model of a workspace (QLM). */
export class QlmModel extends QlmModelSchema.class {}
QlmModelSchema.setClass(QlmModel);

const QlmVersionSchema = defineEntity({
  name: 'QlmVersion',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    modelUid: p.text(),
    /** Number of the version, starting at 1. */
    version: p.integer(),
    changeKind: p.text().$type<ChangeKind>(),
    profile: p.json<QlmProfile>(),
    /** SHA-256 of the RFC 8785 form of the profile. */
    contentHash: p.text(),
    authorUid: p.text(),
    createdAt: p.datetime(),
    /** The sealed gate evaluation on which the approval is based. */
    evaluationUid: p.text().nullable(),
    approvedByUid: p.text().nullable(),
    approvedAt: p.datetime().nullable(),
    retiredByUid: p.text().nullable(),
    retiredAt: p.datetime().nullable(),
    retiredReason: p.text().nullable(),
  },
});

/** A version of a question model. Its profile never changes. */
export class QlmVersion extends QlmVersionSchema.class {}
QlmVersionSchema.setClass(QlmVersion);

const QlmServingSchema = defineEntity({
  name: 'QlmServing',
  filters: tenantFilter,
  properties: {
    id: p.bigint().primary(),
    ...tenantColumns,
    modelUid: p.text(),
    /** The version that is serving or suspended from the time of the entry on; null if there is no such version. */
    versionUid: p.text().nullable(),
    state: p.text().$type<ServingState>(),
    reason: p.text().nullable(),
    setByUid: p.text(),
    since: p.datetime(),
  },
});

/** An entry in the history of serving versions. The latest entry of a model is in force. */
export class QlmServing extends QlmServingSchema.class {}
QlmServingSchema.setClass(QlmServing);

const QlmSuiteSchema = defineEntity({
  name: 'QlmSuite',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    key: p.text(),
    /** SHA-256 of the cases, one RFC 8785 line each. */
    contentHash: p.text(),
    cases: p.json<Case[]>(),
    caseCount: p.integer(),
    importedByUid: p.text(),
    importedAt: p.datetime(),
  },
});

/** A suite of cases with the expected answers. It never changes. */
export class QlmSuite extends QlmSuiteSchema.class {}
QlmSuiteSchema.setClass(QlmSuite);
