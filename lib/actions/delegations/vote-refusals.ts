import type { ApprovalRefusal } from './approval.ts';

/** The text of each refusal of a vote, for the person who cast it. */
export const voteRefusals: Record<
  ApprovalRefusal | 'policy_denied' | 'terms_changed' | 'passkey_required' | 'delegation_unknown',
  string
> = {
  delegation_unknown: 'The delegation does not exist.',
  delegation_not_draft: 'The delegation is no longer a draft. `state` gives its state.',
  delegation_not_suspended: 'The delegation is not suspended.',
  delegation_expired: 'The delegation was not approved within 7 days after it was drafted.',
  identity_not_active: 'The machine identity is suspended or retired.',
  terms_no_longer_valid:
    'The terms of the delegation refer to records that were replaced or are no longer active. `outdated` lists these records.',
  approval_graph_missing: 'The approval graph of the delegation is no longer active.',
  approval_graph_unsatisfiable:
    'Too few persons can approve the delegation. A person who took part in drafting it cannot approve it.',
  approver_not_bound: 'The application has no active binding to a person.',
  sod_same_application: 'The application that drafted a delegation cannot approve it.',
  sod_same_principal:
    'The drafting application and the approving application have the same owner or the same responsible person.',
  sod_same_person:
    'A person who is involved in the drafting application is also involved in the approving application.',
  sod_issuer_overlap:
    'A person of the drafting or the approving application issued a credential of the other application, or submitted the binding of the other application.',
  approver_not_a_person: 'The application is bound to a person who is not active.',
  authority_missing: 'The approving person has no authority.',
  authority_inactive: 'The authority of the approving person is not active at this time.',
  authority_insufficient:
    'No authority of the approving person covers the delegation. `failed` lists the terms that are not covered.',
  approval_already_recorded: 'The person has already voted for this delegation.',
  approval_node_not_open:
    'The approval graph lets the person vote only at a later node, which is not open yet.',
  approver_not_eligible: 'The person cannot vote at the open node of the approval graph.',
  approval_intent_required:
    'A delegation of risk tier T2 needs an approval intent. The person declares the intent with the operator CLI.',
  approval_intent_expired: 'The approval intent of the person is older than 15 minutes.',
  approval_intent_mismatch: 'The approval intent is for other terms, another node or another application.',
  passkey_required:
    'The workspace requires a passkey for votes in production. The person votes in the console.',
  terms_changed: 'The terms of the delegation are not the terms that were shown. Read the terms again.',
  policy_denied: 'The policies deny the approval. `decision` gives the reasons.',
};
