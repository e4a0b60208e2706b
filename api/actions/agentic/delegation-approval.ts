import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import type { Scope } from '#lib/core/scope.ts';
import { redactDecision } from '#lib/governance/policy/redact.ts';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import { askForApproval } from '#lib/actions/delegation/questions.repository.ts';
import { castVote, decisionOf, type Cast } from '#lib/actions/delegation/approve.repository.ts';
import type { ApprovalRefusal } from '#lib/actions/delegation/approval.ts';
import { defineOperation } from '../../services.ts';
import { tenantOf } from '../../tenant.ts';
import { Delegation } from './delegation.schema.ts';
import { presentDelegation } from './present-delegation.ts';

type Refusal = Exclude<ApprovalRefusal, 'delegation_not_suspended'> | 'policy_denied';

const refusals: Record<Refusal, string> = {
  delegation_not_draft: 'The delegation is not a draft any more; `state` says what it is.',
  delegation_expired: 'The draft was not approved within 7 days.',
  identity_not_active: 'The machine identity is suspended or retired.',
  terms_no_longer_valid:
    'The terms name what is not in force any more, or another of the kind is; `outdated` says what.',
  approval_graph_missing: 'The graph that the draft is pinned to is not in force any more.',
  approval_graph_unsatisfiable: 'Too few persons who are independent of the draft could approve it now.',
  approver_not_bound: 'No binding in force says for which person this application approves.',
  sod_same_application: 'The application that drafted a delegation does not approve it.',
  sod_same_principal: 'Both applications have an owner in common.',
  sod_same_person: 'A person stands behind the draft and the approval.',
  sod_issuer_overlap: 'A person of one side issued a credential, or signed the binding, of the other.',
  approver_not_a_person: 'The application speaks for a person who is not active.',
  authority_missing: 'The person has no authority.',
  authority_inactive: 'The authority of the person is not in force at this time.',
  authority_insufficient: 'No authority of the person covers the delegation; `failed` says what is missing.',
  approval_already_recorded: 'The person has voted for this delegation.',
  approval_node_not_open: 'The person has a place at a later node only.',
  approver_not_eligible: 'The person has no place at the open node.',
  approval_intent_required:
    'A delegation of T2 takes an intent of the person, made on the operators’ surface.',
  approval_intent_expired: 'The intent of the person is older than 15 minutes.',
  approval_intent_mismatch: 'The intent is for other terms, another node or another application.',
  policy_denied: 'The policies deny it; `decision` says why.',
};

export const approveDelegation = defineOperation({
  key: 'actions.agentic.delegations.approve',
  product: 'Financial Actions',
  method: 'POST',
  path: '/actions/agentic/delegations/{uid}/approve',
  scope: 'actions:execute',
  summary: 'Carries the approval of a person, and activates the delegation when the quorum is complete.',
  description:
    'A credential approves nothing: the call casts the vote of the person whom the application is bound to, whose ' +
    'authority covers the terms and who is independent of the draft. 200 is an activated delegation; 202 a vote that ' +
    'is recorded while others are missing. Each refusal is an entry of the audit log.',
  success: { status: 200, description: 'The delegation, activated.', schema: Delegation },
  accepted: Delegation,
  problems: ['not_found', ...(Object.keys(refusals) as Refusal[]), 'policy_unavailable'],
  async handle(call) {
    const { services, caller, params, requestId, fail } = call;
    if (!isUid(params.uid, prefixes.delegation)) fail('not_found', 'There is no such delegation.');
    return services.once(call, async (em) => {
      const tenant = tenantOf(caller);
      const actor = { kind: 'application' as const, uid: caller.application, credential: caller.credential };
      const ask = askForApproval(em, tenant, { 'application.uid': caller.application });
      const cast = await castVote(em, {
        tenant,
        uid: params.uid,
        voter: { application: caller.application, credential: caller.credential },
        awaited: 'draft',
        actor,
        requestId,
        clock: services.clock,
        ask: (question, at) => ask(question, at).catch(unavailable),
      });
      const now = services.clock.now();
      if (!cast.ok && cast.code === 'not_found') fail('not_found', 'There is no such delegation.');
      const event = {
        at: now,
        actor,
        subject: { type: 'delegation', uid: params.uid, version: 1 },
        requestId,
        decision: decisionOf(cast),
      };
      if (!cast.ok) {
        await appendAudit(em, { ...event, op: 'delegation.approval_refused', refused: cast.code });
        return refusalOf(cast, [...caller.scopes] as Scope[]);
      }
      const { approval, delegation, isActivated } = cast;
      await appendAudit(em, {
        ...event,
        op: isActivated ? 'delegation.activated' : 'delegation.approval_recorded',
        payloadHash: delegation.termsHash,
        details: { approval_uid: approval.uid, node: approval.node, person_uid: approval.personUid },
      });
      const body = await presentDelegation(em, delegation, now);
      return isActivated ? { status: 200, body } : { status: 202, body };
    });
  },
});

/** Nobody approves where the policies cannot be asked; nothing of the call stays. */
function unavailable(cause: unknown): never {
  throw new Problem('policy_unavailable', 'The policies cannot be asked now; nothing was approved.', {
    headers: { 'Retry-After': '1' },
    cause,
  });
}

function refusalOf(cast: Extract<Cast, { ok: false }>, scopes: readonly Scope[]): Problem {
  const code = cast.code as Refusal & ProblemCode;
  const members: Record<string, unknown> = {};
  if ('delegation' in cast) members['state'] = cast.delegation.state;
  if ('failed' in cast && cast.failed) members['failed'] = cast.failed;
  if ('outdated' in cast && cast.outdated) members['outdated'] = cast.outdated;
  if ('answer' in cast)
    members['decision'] = { uid: cast.answer.uid, ...redactDecision(cast.answer.decision, scopes) };
  return new Problem(code, refusals[code], { members });
}
