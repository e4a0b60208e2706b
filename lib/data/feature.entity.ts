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
    /** Unique in the workspace. */
    key: p.text(),
    entityType: p.text().$type<EntityType>(),
    description: p.text(),
    ownerUid: p.text(),
    status: p.text().$type<'active' | 'retired'>(),
    createdAt: p.datetime(),
  },
});

/** A number that is known of each of many entities, again and again. */
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
    /** Where its values are computed from. */
    datasetId: p.integer(),
    /** The transformation of the source into the values. */
    expression: p.text(),
    /** A value older than this is stale. */
    maxAgeDays: p.integer(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
  },
});

/** How a feature is computed. It never changes: another way is another version, with values of its own. */
export class FeatureVersion extends FeatureVersionSchema.class {}
FeatureVersionSchema.setClass(FeatureVersion);
