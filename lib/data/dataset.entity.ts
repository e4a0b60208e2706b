import { defineEntity, p } from '@mikro-orm/core';
import type { DatasetKind, PriceBasis } from './dataset-kind.ts';

export type { DatasetKind, PriceBasis } from './dataset-kind.ts';

const DatasetSchema = defineEntity({
  name: 'Dataset',
  properties: {
    id: p.integer().primary(),
    uid: p.text(),
    /** The owning workspace; null for a dataset of the platform. */
    workspaceUid: p.text().nullable(),
    kind: p.text().$type<DatasetKind>(),
    name: p.text(),
    /** The number of imports. Each row has the revision that added it, so a past state can be read again. */
    revision: p.integer(),
    /** The number of observations, including corrections. For a taxonomy, the number of exposures. */
    rowsHeld: p.bigint('number'),
    /** The oldest and newest observed day; null for a taxonomy, and before the first import. */
    firstObservedOn: p.date().nullable(),
    lastObservedOn: p.date().nullable(),
    /** SHA-256 chained over the fingerprints of all imports in order; null before the first import. */
    contentHash: p.text().nullable(),
    createdAt: p.datetime(),
    description: p.text().nullable(),
    licence: p.text().nullable(),
    /** The origin of the data, as a person described it. */
    source: p.text().nullable(),
    /** Whether closes are as quoted or adjusted for all later splits. Null means as quoted. */
    priceBasis: p.text().$type<PriceBasis>().nullable(),
  },
});

/** A named set of observations with one owner. Workspaces read the datasets they are entitled to. */
export class Dataset extends DatasetSchema.class {}
DatasetSchema.setClass(Dataset);

const DatasetImportSchema = defineEntity({
  name: 'DatasetImport',
  properties: {
    uid: p.text().primary(),
    datasetId: p.integer(),
    revision: p.integer(),
    /**
     * SHA-256 of the content and of the options that determine its meaning. An import with the same
     * fingerprint is not repeated.
     */
    fingerprint: p.text(),
    fileName: p.text(),
    rowsRead: p.integer(),
    rowsInserted: p.integer(),
    rowsCorrected: p.integer(),
    rowsUnchanged: p.integer(),
    rowsRejected: p.integer(),
    importedByUid: p.text().nullable(),
    importedAt: p.datetime(),
  },
});

/** One import into a dataset, with its row counts. */
export class DatasetImport extends DatasetImportSchema.class {}
DatasetImportSchema.setClass(DatasetImport);
