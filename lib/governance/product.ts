import { defineProduct, operatorWrites } from '#lib/core/product.ts';

const decisionAppends = {
  operator: 'select, insert',
  api: 'select, insert',
  worker: 'select, insert',
};

/** Records that persons govern, policies, and evidence that contradicts. */
export const governance = defineProduct({
  folder: 'governance',
  prefixes: {
    evidenceConflict: 'obc',
    policy: 'pol',
    policyDecision: 'dec',
  },
  problems: {
    approver_not_eligible: { status: 403, title: 'The person has no place at the open node' },
    policy_denied: { status: 403, title: 'The policies deny it' },
    invalid_source_hash: { status: 422, title: 'The hash of the source is not valid' },
    source_evidence_conflict: {
      status: 422,
      title: 'The source contradicts the one that is kept under its reference',
    },
    currency_mismatch: { status: 422, title: 'The currency is not that of the agreement' },
    policy_unavailable: { status: 503, title: 'The policies cannot be asked' },
  },
  tables: {
    evidence_conflict: {
      rows: 'environment',
      operator: 'select, update',
      api: 'select, insert, update (times_offered)',
      worker: 'select',
    },
    governed_record: { rows: 'environment', ...operatorWrites },
    /** Whoever asks the policies keeps what they said; nobody changes it. */
    policy_set: { rows: 'environment', ...decisionAppends },
    policy_decision: { rows: 'environment', ...decisionAppends },
  },
});
