import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';
import type { EntityType, FeatureFrequency } from './feature/kind.ts';

export type { EntityType, FeatureFrequency } from './feature/kind.ts';

const FeatureSchema = defineEntity({
  name: 'Feature',
  filters: workspaceFilter,
  properties: {
    uid: p.text().primary(),
    workspaceUid: p.text(),
    /** Key of the feature, unique in the workspace. */
    key: p.text(),
    entityType: p.text().$type<EntityType>(),
    description: p.text(),
    ownerUid: p.text(),
    status: p.text().$type<'active' | 'retired'>(),
    createdAt: p.datetime(),
  },
});

/** A number that is computed for many entities over time. */
export class Feature extends FeatureSchema.class {}
FeatureSchema.setClass(Feature);

const FeatureVersionSchema = defineEntity({
  name: 'FeatureVersion',
  filters: workspaceFilter,
  properties: {
    id: p.integer().primary(),
    uid: p.text(),
    featureUid: p.text(),
    workspaceUid: p.text(),
    version: p.integer(),
    unit: p.text(),
    frequency: p.text().$type<FeatureFrequency>(),
    /** The dataset from which the values are computed. */
    datasetId: p.integer(),
    /** The expression that computes the values from the dataset. */
    expression: p.text(),
    /** The maximum age of a value in days. An older value is stale. */
    maxAgeDays: p.integer(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
  },
});

/**
 * A version of a feature, with its definition. A version never changes. Another definition creates another version with
 * its own values.
 */
export class FeatureVersion extends FeatureVersionSchema.class {}
FeatureVersionSchema.setClass(FeatureVersion);
