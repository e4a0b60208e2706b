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

/** A version of a workspace's policy on the costs of its workflows. The newest version is in force. */
export class FinopsPolicy extends FinopsPolicySchema.class {}
FinopsPolicySchema.setClass(FinopsPolicy);
