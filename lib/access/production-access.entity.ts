import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ProductionAccessState } from './production-access.ts';

const ProductionAccessSchema = defineEntity({
  name: 'ProductionAccess',
  filters: tenantFilter,
  properties: {
    applicationUid: p.text().primary(),
    ...tenantColumns,
    state: p.text().$type<ProductionAccessState>(),
    requestedByUid: p.text(),
    requestedAt: p.datetime(),
    approvedByUid: p.text().nullable(),
    approvedAt: p.datetime().nullable(),
    revokedByUid: p.text().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});

/** The permission of an application to use its production credentials. No scope grants it. */
export class ProductionAccess extends ProductionAccessSchema.class {}
ProductionAccessSchema.setClass(ProductionAccess);
