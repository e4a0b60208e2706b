import { defineProduct, operatorWrites } from '#lib/core/product.ts';

const decisionAppends = {
  operator: 'select, insert',
  api: 'select, insert',
  worker: 'select, insert',
  console: 'select, insert',
};

/** Governed records, policies, and evidence that contradicts records. */
export const governance = defineProduct({
  folder: 'governance',
  prefixes: {
    evidenceConflict: 'obc',
    policy: 'pol',
    policyDecision: 'dec',
  },
  problems: {
    approver_not_eligible: {
      status: 403,
      title: 'The person may not vote at the open node of the approval graph',
    },
    policy_denied: { status: 403, title: 'The policies deny the action' },
    invalid_source_hash: { status: 422, title: 'The source hash is not valid' },
    source_evidence_conflict: {
      status: 422,
      title: 'The content contradicts the content stored under the same source reference',
    },
    currency_mismatch: { status: 422, title: 'The currency differs from the currency of the agreement' },
    policy_unavailable: { status: 503, title: 'The policies cannot be evaluated' },
  },
  tables: {
    evidence_conflict: {
      rows: 'environment',
      operator: 'select, update',
      api: 'select, insert, update (times_offered)',
      worker: 'select',
      console: 'select, update (state, resolved_by_uid, resolved_at, reason)',
    },
    governed_record: { rows: 'environment', ...operatorWrites },
    /** The process that evaluates the policies appends the decision. No role can change a decision. */
    policy_set: { rows: 'environment', ...decisionAppends },
    policy_decision: { rows: 'environment', ...decisionAppends },
  },
});
