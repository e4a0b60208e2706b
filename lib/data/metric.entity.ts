import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';
import type { MetricKind, MetricUnit } from './metric.ts';

const OwnMetricSchema = defineEntity({
  name: 'OwnMetric',
  tableName: 'metric_definition',
  filters: workspaceFilter,
  properties: {
    workspaceUid: p.text().primary(),
    name: p.text().primary(),
    unit: p.text().$type<MetricUnit>(),
    kind: p.text().$type<MetricKind>(),
    isSigned: p.boolean(),
    description: p.text(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
  },
});

/** A metric that a workspace defines in addition to the catalogue. It never changes. */
export class OwnMetric extends OwnMetricSchema.class {}
OwnMetricSchema.setClass(OwnMetric);
