import type { ApprovalRefusal } from './approval.ts';

/** The text of each refusal of a vote, for the person who cast it. */
export const voteRefusals: Record<ApprovalRefusal | 'policy_denied' | 'delegation_unknown', string> = {
  delegation_unknown: 'The delegation does not exist.',
  delegation_not_draft: 'The delegation is no longer a draft. `state` gives its state.',
  delegation_not_suspended: 'The delegation is not suspended.',
  delegation_expired: 'The draft was not approved within 7 days.',
  identity_not_active: 'The machine identity is suspended or retired.',
  terms_no_longer_valid:
    'The terms refer to records that were replaced or are no longer active. `outdated` lists them.',
  approval_graph_missing: 'The approval graph of the draft is no longer active.',
  approval_graph_unsatisfiable: 'Too few persons who are independent of the draft can approve it.',
  approver_not_bound: 'The application has no active binding to a person.',
  sod_same_application: 'The application that drafted a delegation cannot approve it.',
  sod_same_principal: 'Both applications have the same owner or the same responsible person.',
  sod_same_person: 'The same person belongs to the drafting side and to the approving side.',
  sod_issuer_overlap:
    'A person of one side issued a credential of the other side, or submitted the binding of its application.',
  approver_not_a_person: 'The application is bound to a person who is not active.',
  authority_missing: 'The person has no authority.',
  authority_inactive: 'The authority of the person is not active at this time.',
  authority_insufficient: 'No authority of the person covers the delegation. `failed` lists the gaps.',
  approval_already_recorded: 'The person has already voted for this delegation.',
  approval_node_not_open: 'The person can only vote at a later node.',
  approver_not_eligible: 'The person cannot vote at the open node of the approval graph.',
  approval_intent_required:
    'A delegation of risk tier T2 needs an intent. The person declares the intent with the operator CLI.',
  approval_intent_expired: 'The intent of the person is older than 15 minutes.',
  approval_intent_mismatch: 'The intent is for other terms, another node or another application.',
  policy_denied: 'The policies deny the approval. `decision` gives the reasons.',
};
