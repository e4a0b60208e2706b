import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter, type Environment } from '#lib/database/base.ts';
import type { Decision } from './decision.ts';
import type { PolicyInput } from './fields.ts';
import type { Policy, PolicyEffect } from './policy.ts';
import type { ShadowDecision } from './shadow.ts';

const PolicySetSchema = defineEntity({
  name: 'PolicySetRecord',
  tableName: 'policy_set',
  filters: tenantFilter,
  properties: {
    workspaceUid: p.text().primary(),
    environment: p.text().$type<Environment>().primary(),
    hash: p.text().primary(),
    policies: p.json<readonly Policy[]>(),
    createdAt: p.datetime(),
  },
});

/** A set of policies that were evaluated together, stored by its hash. The row never changes. */
export class PolicySetRecord extends PolicySetSchema.class {}
PolicySetSchema.setClass(PolicySetRecord);

const PolicyDecisionSchema = defineEntity({
  name: 'PolicyDecision',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    at: p.datetime(),
    /** The type of the subject of the decision, such as `delegation`. */
    subjectType: p.text(),
    subjectUid: p.text(),
    effect: p.text().$type<PolicyEffect>(),
    policySetHash: p.text(),
    input: p.json<PolicyInput>(),
    inputHash: p.text(),
    explanation: p.json<Decision>(),
    shadowSetHash: p.text().nullable(),
    shadow: p.json<ShadowDecision>().nullable(),
  },
});

/** One decision of the policies, with everything needed to repeat it. The row never changes. */
export class PolicyDecision extends PolicyDecisionSchema.class {}
PolicyDecisionSchema.setClass(PolicyDecision);
