import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { MetricKey } from './metrics.ts';

const BenchmarkMembershipSchema = defineEntity({
  name: 'BenchmarkMembership',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    metrics: p.array().$type<MetricKey[]>(),
    /** The group of affiliates that counts as one contributor; null if the workspace is alone. */
    groupKey: p.text().nullable(),
    joinedByUid: p.text(),
    joinedAt: p.datetime(),
    leftByUid: p.text().nullable(),
    leftAt: p.datetime().nullable(),
  },
});

/** The participation of a workspace in benchmarks, from its start to its end. */
export class BenchmarkMembership extends BenchmarkMembershipSchema.class {}
BenchmarkMembershipSchema.setClass(BenchmarkMembership);
