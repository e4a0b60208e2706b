import Type, { type Static } from 'typebox';
import { instantOf } from '#lib/core/clock.ts';
import { Closed, InstantOf, ListOf, pageQuery } from '#lib/core/schema.ts';
import type { Decision } from '#lib/governance/policy/decision.ts';
import { redactDecision } from '#lib/governance/policy/redact.ts';
import { admissionDecisions, type AdmissionRefusal } from '#lib/workflows/admission.ts';
import { WorkflowKey } from '#lib/workflows/definition.schema.ts';
import { findAdmissions, type FoundAdmission } from '#lib/workflows/read-admissions.query.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { AdmissionDecisionResource, type AdmissionReason } from './admission.schema.ts';

const PATH = '/workflow-studio/admission/decisions';

export const listAdmissionDecisions = defineOperation({
  key: 'workflow_studio.admission.decisions.list',
  product: 'Workflows',
  method: 'GET',
  path: PATH,
  scope: 'workflow:read',
  summary: 'Lists the decisions to admit or deny runs of workflows, newest first.',
  description:
    "Returns admissions and denials. Decisions never change and are never deleted. An admission allows one run to start within ten minutes. Values that the caller's scopes cannot read are redacted.",
  query: Closed({
    ...pageQuery,
    decision: Type.Optional(
      Type.Enum([...admissionDecisions], {
        description: 'Returns only decisions of this kind: admissions or denials.',
      }),
    ),
    workflow_key: Type.Optional({
      ...WorkflowKey,
      description: 'Returns only decisions about this workflow.',
    }),
    since: Type.Optional(InstantOf('Returns only decisions made at or after this instant.')),
  }),
  success: { status: 200, description: 'A page of decisions.', schema: ListOf(AdmissionDecisionResource) },
  problems: ['invalid_cursor'],
  async handle({ services, query, caller }) {
    const { decision, workflow_key: key, since } = query;
    return listReply(services, query, {
      list: PATH,
      filters: { decision: decision ?? null, workflow_key: key ?? null, since: since ?? null },
      hasLargeRows: true,
      rows: (em, page) =>
        findAdmissions(em, { decision, key, since: since === undefined ? since : instantOf(since), ...page }),
      present: (found) => present(found, [...caller.scopes]),
    });
  },
});

function present(
  { admission, policy, run }: FoundAdmission,
  scopes: readonly string[],
): Static<typeof AdmissionDecisionResource> {
  return {
    uid: admission.uid,
    at: admission.at.toISOString(),
    workflow: {
      key: admission.workflowKey,
      version: admission.workflowVersion,
      digest: admission.digest,
    },
    trigger: admission.trigger,
    requested_by: { kind: 'person', uid: admission.requestedBy.uid },
    application_uid: admission.applicationUid,
    mode: 'enforce',
    decision: admission.decision,
    conditions: admission.conditions.map(({ code }) => ({ code })),
    reasons: [
      ...admission.refusals.map((refusal) => other(refusal.code, refusal)),
      ...(policy ? policyReasons(redactDecision(policy, scopes)) : [other('policy_store_unavailable')]),
    ],
    policy_decision_uid: admission.policyDecisionUid ?? null,
    policy_set_hash: admission.policySetHash ?? null,
    inputs_hash: admission.inputsHash,
    run_uid: run,
    evaluated_ms: admission.evaluatedMs,
    expires_at: admission.expiresAt.toISOString(),
    decision_hash: admission.decisionHash,
  };
}

const NONE = {
  policy_uid: null,
  version: null,
  rule_key: null,
  effect: null,
  path: null,
  expected: null,
  actual: null,
};

/** Returns the reason for an obstacle to admission that does not come from a policy rule. */
function other(code: string, refusal?: AdmissionRefusal): AdmissionReason {
  if (refusal?.code === 'scope_missing') return { ...NONE, code, expected: textOf(refusal.scopes) };
  if (refusal?.code === 'run_undeclared') return { ...NONE, code, expected: textOf(refusal.runs) };
  if (refusal?.code === 'approval_graph_named') return { ...NONE, code, expected: textOf(refusal.graph) };
  return { ...NONE, code };
}

function policyReasons({ default: isDefault, determining, failed, errors }: Decision): AdmissionReason[] {
  return [
    ...(isDefault ? [other('no_policy_allows')] : []),
    ...determining.map(({ policy_uid, version, rule_key, effect, reason_code: code }) => ({
      ...NONE,
      policy_uid,
      version,
      rule_key,
      effect,
      code,
    })),
    ...failed.map(({ policy_uid, version, rule_key, path, expected, actual }) => ({
      ...NONE,
      policy_uid,
      version,
      rule_key,
      code: 'condition_not_met',
      path,
      expected: textOf(expected),
      actual: textOf(actual),
    })),
    ...errors.map(({ policy_uid, version, rule_key, path, code }) => ({
      ...NONE,
      policy_uid,
      version,
      rule_key,
      code,
      path,
    })),
  ];
}

/**
 * Returns a text unchanged and any other value as JSON, in both cases shortened to 2,000 characters; null for a missing
 * value.
 */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 2_000);
}
