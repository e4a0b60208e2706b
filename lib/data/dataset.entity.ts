import { defineEntity, p } from '@mikro-orm/core';
import type { DatasetKind, PriceBasis } from './dataset-kind.ts';

export type { DatasetKind, PriceBasis } from './dataset-kind.ts';

const DatasetSchema = defineEntity({
  name: 'Dataset',
  properties: {
    id: p.integer().primary(),
    uid: p.text(),
    /** The owning workspace; null for data that the platform offers. */
    workspaceUid: p.text().nullable(),
    kind: p.text().$type<DatasetKind>(),
    name: p.text(),
    /** Counts the imports. Rows carry the revision that brought them, so a past state can be read again. */
    revision: p.integer(),
    /** Observations, corrections among them. Exposures, of a taxonomy. */
    rowsHeld: p.bigint('number'),
    /** The oldest and the newest day that an observation is about; null for a taxonomy, and before the first import. */
    firstObservedOn: p.date().nullable(),
    lastObservedOn: p.date().nullable(),
    /** SHA-256 over the imports in their order, each by its fingerprint; null before the first. */
    contentHash: p.text().nullable(),
    createdAt: p.datetime(),
    description: p.text().nullable(),
    licence: p.text().nullable(),
    /** Where the data come from. */
    source: p.text().nullable(),
    /** Whether closes are as they were quoted, or divided by all later splits; null: as quoted. */
    priceBasis: p.text().$type<PriceBasis>().nullable(),
  },
});

/** A body of observations with one owner. Workspaces read the datasets they are entitled to. */
export class Dataset extends DatasetSchema.class {}
DatasetSchema.setClass(Dataset);

const DatasetImportSchema = defineEntity({
  name: 'DatasetImport',
  properties: {
    uid: p.text().primary(),
    datasetId: p.integer(),
    revision: p.integer(),
    /** SHA-256 of the content and of the options that give it meaning; the same import is made once. */
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

/** One import into a dataset, and what became of its rows. */
export class DatasetImport extends DatasetImportSchema.class {}
DatasetImportSchema.setClass(DatasetImport);
