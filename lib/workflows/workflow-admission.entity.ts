import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type {
  AdmissionCondition,
  AdmissionDecision,
  AdmissionRefusal,
  AdmissionTrigger,
} from './admission.ts';

const WorkflowAdmissionSchema = defineEntity({
  name: 'WorkflowAdmission',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    at: p.datetime(),
    expiresAt: p.datetime(),
    versionUid: p.text(),
    workflowKey: p.text(),
    workflowVersion: p.integer(),
    digest: p.text(),
    applicationUid: p.text(),
    trigger: p.text().$type<AdmissionTrigger>(),
    requestedBy: p.json<{ kind: 'person'; uid: string }>(),
    decision: p.text().$type<AdmissionDecision>(),
    conditions: p.json<AdmissionCondition[]>(),
    /** The reasons that prevent the start, in addition to the policies. */
    refusals: p.json<AdmissionRefusal[]>(),
    policyDecisionUid: p.text().nullable(),
    policySetHash: p.text().nullable(),
    inputsHash: p.text(),
    evaluatedMs: p.float(),
    /** SHA-256 of the RFC 8785 form of the decision and its subject. */
    decisionHash: p.text(),
  },
});

/**
 * The recorded decision on whether a run of a workflow may start, with the reasons. An admission never changes, and
 * starts at most one run.
 */
export class WorkflowAdmission extends WorkflowAdmissionSchema.class {}
WorkflowAdmissionSchema.setClass(WorkflowAdmission);
