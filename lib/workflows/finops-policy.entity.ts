import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { FinopsPolicyBody } from './finops-policy.schema.ts';

const FinopsPolicySchema = defineEntity({
  name: 'FinopsPolicy',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    version: p.integer(),
    body: p.json<FinopsPolicyBody>(),
    policyHash: p.text(),
    updatedAt: p.datetime(),
    updatedByUid: p.text(),
  },
});

/** A version of what a workspace wants to be told about the costs of its workflows. The newest one counts. */
export class FinopsPolicy extends FinopsPolicySchema.class {}
FinopsPolicySchema.setClass(FinopsPolicy);
