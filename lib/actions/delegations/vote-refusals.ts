import type { ApprovalRefusal } from './approval.ts';

/** What each refusal of a vote means to whoever cast it. */
export const voteRefusals: Record<ApprovalRefusal | 'policy_denied' | 'delegation_unknown', string> = {
  delegation_unknown: 'The delegation does not exist.',
  delegation_not_draft: 'The delegation is no longer a draft; `state` names its state.',
  delegation_not_suspended: 'The delegation is not suspended.',
  delegation_expired: 'The draft was not approved within 7 days.',
  identity_not_active: 'The machine identity is suspended or retired.',
  terms_no_longer_valid:
    'The terms refer to records that are no longer in force or were replaced; `outdated` lists them.',
  approval_graph_missing: 'The approval graph that the draft is pinned to is no longer in force.',
  approval_graph_unsatisfiable: 'Too few persons who are independent of the draft can approve it.',
  approver_not_bound: 'No binding in force names the person for whom this application approves.',
  sod_same_application: 'The application that drafted a delegation cannot approve it.',
  sod_same_principal: 'Both applications have an owner in common.',
  sod_same_person: 'The same person is behind the draft and the approval.',
  sod_issuer_overlap: 'A person of one side issued a credential of the other side, or signed its binding.',
  approver_not_a_person: 'The application speaks for a person who is not active.',
  authority_missing: 'The person has no authority.',
  authority_inactive: 'The authority of the person is not in force at this time.',
  authority_insufficient: 'No authority of the person covers the delegation; `failed` lists the gaps.',
  approval_already_recorded: 'The person has already voted for this delegation.',
  approval_node_not_open: 'The person is only eligible at a later node.',
  approver_not_eligible: 'The person is not eligible at the open node.',
  approval_intent_required:
    'A T2 delegation needs an intent that the person declared on the operator surface.',
  approval_intent_expired: 'The intent of the person is older than 15 minutes.',
  approval_intent_mismatch: 'The intent names other terms, another node or another application.',
  policy_denied: 'The policies deny the approval; `decision` gives the reasons.',
};
