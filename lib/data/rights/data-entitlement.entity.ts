import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';
import type { DatasetKind } from '../dataset-kind.ts';
import type { Duty, Rule } from './decide.ts';
import type { EntitlementState } from './entitlement.ts';

const DataEntitlementSchema = defineEntity({
  name: 'DataEntitlement',
  filters: workspaceFilter,
  properties: {
    uid: p.text().primary(),
    /** The workspace that may use the data. */
    workspaceUid: p.text(),
    datasetId: p.integer(),
    datasetUid: p.text(),
    datasetKind: p.text().$type<DatasetKind>(),
    datasetName: p.text(),
    provider: p.text(),
    permissions: p.json().$type<readonly Rule[]>(),
    prohibitions: p.json().$type<readonly Rule[]>(),
    duties: p.json().$type<readonly Duty[]>(),
    validFrom: p.datetime().nullable(),
    validUntil: p.datetime().nullable(),
    licenceReference: p.text().nullable(),
    licenceHash: p.text(),
    entitlementHash: p.text(),
    state: p.text().$type<EntitlementState>(),
    proposedByUid: p.text(),
    approvedByUid: p.text().nullable(),
    suspendedByUid: p.text().nullable(),
    endedByUid: p.text().nullable(),
    createdAt: p.datetime(),
    approvedAt: p.datetime().nullable(),
    suspendedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

/** The terms on which a workspace may use a dataset. */
export class DataEntitlement extends DataEntitlementSchema.class {}
DataEntitlementSchema.setClass(DataEntitlement);

const DataUseCountSchema = defineEntity({
  name: 'DataUseCount',
  tableName: 'data_use',
  filters: workspaceFilter,
  properties: {
    workspaceUid: p.text().primary(),
    datasetId: p.integer().primary(),
    day: p.date().primary(),
    rows: p.bigint('number'),
  },
});

/** The number of rows that a workspace requested from a dataset on a day (UTC). */
export class DataUseCount extends DataUseCountSchema.class {}
DataUseCountSchema.setClass(DataUseCount);
