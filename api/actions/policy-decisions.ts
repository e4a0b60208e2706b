import type { Static } from 'typebox';
import { redactDecision } from '#lib/governance/policy/redact.ts';
import { findDecision } from '#lib/governance/policy/policy-decision.query.ts';
import { defineOperation } from '../services.ts';
import { PolicyDecision } from './decision.schema.ts';

export const getPolicyDecision = defineOperation({
  key: 'actions.policy_decisions.get',
  product: 'Financial Actions',
  method: 'GET',
  path: '/actions/policy-decisions/{uid}',
  scope: 'actions:read',
  addition: true,
  tool: 'explain_decision',
  summary: 'Explains a policy decision.',
  description:
    'The response has the rules that determined the decision, the errors, and the conditions that block the action. Each condition has its nearest allowed value. Values that the caller may not read are redacted.',
  success: { status: 200, description: 'The decision.', schema: PolicyDecision },
  problems: ['not_found'],
  async handle({ services, caller, params, fail }) {
    const found = await services.query(findDecision, params.uid);
    if (!found) return fail('not_found', 'The policy decision does not exist.');
    const { uid, at, subjectType, subjectUid, explanation, shadow } = found;
    const decision = redactDecision(explanation, [...caller.scopes]);
    const body = {
      uid,
      at: at.toISOString(),
      subject: { type: subjectType, uid: subjectUid },
      ...decision,
      shadow: shadow ? { effect: shadow.decision.effect, would_change: shadow.would_change } : null,
    };
    return { status: 200, body: body as unknown as Static<typeof PolicyDecision> };
  },
});
