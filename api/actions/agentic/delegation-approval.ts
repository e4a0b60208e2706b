import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import type { Scope } from '#lib/core/scope.ts';
import { redactDecision } from '#lib/governance/policy/redact.ts';
import type { Denied } from '#lib/governance/command.ts';
import { askForApproval } from '#lib/actions/delegations/questions.query.ts';
import { readDetails } from '#lib/actions/delegations/delegation.query.ts';
import { castVote } from '#lib/actions/delegations/cast-vote.command.ts';
import { voteRefusals } from '#lib/actions/delegations/vote-refusals.ts';
import { defineOperation } from '../../services.ts';
import { Delegation } from './delegation.schema.ts';
import { presentDelegation } from './present-delegation.ts';

const {
  delegation_unknown: _unknown,
  delegation_not_suspended: _suspended,
  terms_changed: _changed,
  ...refusals
} = voteRefusals;
type Refusal = keyof typeof refusals;

export const approveDelegation = defineOperation({
  key: 'actions.agentic.delegations.approve',
  product: 'Financial Actions',
  method: 'POST',
  path: '/actions/agentic/delegations/{uid}/approve',
  scope: 'actions:execute',
  summary:
    'Casts the vote of a person for a delegation, and activates the delegation when the quorum is complete.',
  description:
    'A credential never approves. The call casts the vote of the person whom the application is ' +
    'bound to. The authority of that person must cover the terms, and the person must be independent ' +
    'of the draft. The status is 200 if the delegation was activated, and 202 if the vote was ' +
    'recorded and more votes are needed. Each refusal is recorded in the audit log.',
  success: { status: 200, description: 'The activated delegation.', schema: Delegation },
  accepted: Delegation,
  problems: ['not_found', ...(Object.keys(refusals) as Refusal[]), 'policy_unavailable'],
  async handle(call) {
    const { services, caller, params, fail } = call;
    if (!isUid(params.uid, prefixes.delegation)) fail('not_found', voteRefusals.delegation_unknown);
    return services.govern(
      call,
      castVote,
      {
        uid: params.uid,
        carrier: { application: caller.application, credential: caller.credential },
        awaited: 'draft',
        ask(inside, tenant) {
          const ask = askForApproval(inside, tenant, { 'application.uid': caller.application });
          return (question, at) => ask(question, at).catch(unavailable);
        },
      },
      {
        async present({ delegation, result, at }, query) {
          const body = presentDelegation(await query(readDetails, delegation, at), at);
          return result.isActivated ? { status: 200, body } : { status: 202, body };
        },
        refuse(refused) {
          if (refused.code === 'delegation_unknown') return new Problem('not_found', refused.detail);
          return refusalOf(refused, [...caller.scopes] as Scope[]);
        },
      },
    );
  },
});

/** Refuses the vote, because the policies cannot be evaluated. Nothing is stored for the call. */
function unavailable(cause: unknown): never {
  throw new Problem(
    'policy_unavailable',
    'The policies cannot be evaluated at the moment. The vote was not recorded. Try again.',
    {
      headers: { 'Retry-After': '1' },
      cause,
    },
  );
}

function refusalOf(refused: Denied<typeof castVote>, scopes: readonly Scope[]): Problem {
  const { code, detail, ...verdict } = refused;
  const members: Record<string, unknown> = {};
  if ('delegation' in verdict && verdict.delegation) members['state'] = verdict.delegation.state;
  if ('failed' in verdict && verdict.failed) members['failed'] = verdict.failed;
  if ('outdated' in verdict && verdict.outdated) members['outdated'] = verdict.outdated;
  if (code === 'policy_denied' && 'answer' in verdict && verdict.answer)
    members['decision'] = {
      uid: verdict.answer.uid,
      ...redactDecision(verdict.answer.decision, scopes),
    };
  return new Problem(code as Refusal & ProblemCode, detail, { members });
}
