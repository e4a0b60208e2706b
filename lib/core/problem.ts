/** Every error a caller can meet: its stable code, HTTP status and title. Nothing else in Assay fixes a status for an error. */
export const problems = {
  malformed_request: { status: 400, title: 'The request is not well-formed HTTP' },
  malformed_json: { status: 400, title: 'The body is not well-formed JSON' },
  malformed_header: { status: 400, title: 'A request header is not well-formed' },
  credential_in_query: { status: 400, title: 'A credential stands in the address' },
  invalid_request: { status: 400, title: 'The OAuth request is not valid' },
  invalid_scope: { status: 400, title: 'None of the requested scopes can be granted' },
  unauthorized_client: { status: 400, title: 'The OAuth client may not be given tokens' },
  unsupported_grant_type: { status: 400, title: 'The OAuth grant type is not supported' },
  invalid_client: { status: 401, title: 'The OAuth client is not known by these credentials' },
  credential_required: { status: 401, title: 'A bearer credential is required' },
  invalid_token: { status: 401, title: 'The bearer credential is not valid' },
  application_inactive: { status: 403, title: 'The application is not active' },
  production_access_disabled: { status: 403, title: 'The application has no production access' },
  entitlement_missing: { status: 403, title: 'The workspace is not entitled to this operation' },
  insufficient_scope: { status: 403, title: 'The credential does not carry the required scope' },
  origin_not_allowed: { status: 403, title: 'The page that calls is of a foreign origin' },
  approver_not_bound: { status: 403, title: 'The application speaks for nobody who approves' },
  sod_same_application: { status: 403, title: 'Who drafted cannot approve: the same application' },
  sod_same_principal: { status: 403, title: 'Who drafted cannot approve: the same owner' },
  sod_same_person: { status: 403, title: 'Who drafted cannot approve: the same person' },
  sod_issuer_overlap: { status: 403, title: 'Who drafted cannot approve: a credential of the same issuer' },
  approver_not_a_person: { status: 403, title: 'The approver is no active person' },
  authority_missing: { status: 403, title: 'The person has no authority' },
  authority_inactive: { status: 403, title: 'The authority of the person is not in force' },
  authority_insufficient: { status: 403, title: 'The authority of the person does not cover it' },
  approver_not_eligible: { status: 403, title: 'The person has no place at the open node' },
  policy_denied: { status: 403, title: 'The policies deny it' },
  not_found: { status: 404, title: 'There is no such resource' },
  unknown_dataset: { status: 404, title: 'The workspace has no such numeric dataset' },
  route_not_found: { status: 404, title: 'There is no such path' },
  method_not_allowed: { status: 405, title: 'The path does not answer this method' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  idempotency_in_progress: { status: 409, title: 'A request with the idempotency key is being worked on' },
  run_not_cancellable: { status: 409, title: 'The run has already ended' },
  run_cancelled: { status: 409, title: 'The run was cancelled' },
  batch_cancelled: { status: 409, title: 'The order batch was cancelled' },
  model_not_approved: { status: 409, title: 'No approved and active version of the model' },
  identity_not_active: { status: 409, title: 'The machine identity is not active' },
  delegation_limit_reached: { status: 409, title: 'The identity has as many delegations as it may' },
  equivalent_delegation_active: { status: 409, title: 'An equivalent delegation is in force' },
  delegation_not_draft: { status: 409, title: 'The delegation is not a draft' },
  delegation_expired: { status: 409, title: 'The draft has expired' },
  terms_no_longer_valid: { status: 409, title: 'The terms name what is not in force any more' },
  approval_graph_missing: { status: 409, title: 'No graph of approvals is in force for it' },
  approval_graph_unsatisfiable: { status: 409, title: 'Too few independent persons can approve it' },
  approval_node_not_open: { status: 409, title: 'An earlier node of the graph is not met' },
  approval_already_recorded: { status: 409, title: 'The person has voted already' },
  approval_intent_required: { status: 409, title: 'The tier of risk takes an intent of the approver' },
  approval_intent_expired: { status: 409, title: 'The intent has expired' },
  approval_intent_mismatch: { status: 409, title: 'The intent is for something else' },
  not_acceptable: { status: 406, title: 'The answer has no form that is accepted' },
  precondition_failed: { status: 412, title: 'The resource is not as it was when it was read' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body has an unsupported media type' },
  validation_failed: { status: 422, title: 'The request is not valid' },
  invalid_cursor: { status: 422, title: 'The cursor is not valid for this list' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used with another request' },
  unknown_counterparty: { status: 422, title: 'The workspace has no such counterparty' },
  invalid_currency: { status: 422, title: 'The currency is not one of ISO 4217 in force' },
  invalid_source_hash: { status: 422, title: 'The hash of the source is not valid' },
  invalid_amount: { status: 422, title: 'The amount is not a number' },
  amount_precision: { status: 422, title: 'The amount has more decimals than its currency' },
  amount_range: { status: 422, title: 'The amount is out of range' },
  source_evidence_conflict: {
    status: 422,
    title: 'The source contradicts the one that is kept under its reference',
  },
  netting_set_superseded: { status: 409, title: 'Other terms took the place of the netting set' },
  obligation_withdrawn: { status: 409, title: 'The record of this source was withdrawn for ever' },
  unknown_custodian: { status: 422, title: 'The workspace has no such custodian' },
  custody_source_not_independent: {
    status: 422,
    title: 'The custody source executed or confirmed the trade itself',
  },
  insufficient_evidence: { status: 422, title: 'The custody evidence is not enough to settle by' },
  invalid_custody_evidence: { status: 422, title: 'The custody evidence is not valid' },
  observation_conflict: {
    status: 422,
    title: 'The observation contradicts the one that is kept under its reference',
  },
  unknown_agreement_type: { status: 422, title: 'The type of agreement is not known' },
  amount_scale_mismatch: { status: 422, title: 'The scale is not that of the currency' },
  terms_inconsistent: { status: 422, title: 'The terms contradict each other' },
  currency_mismatch: { status: 422, title: 'The currency is not that of the agreement' },
  margin_not_determined: { status: 422, title: 'The agreement does not say who posts collateral' },
  survival_rises: { status: 422, title: 'A credit curve has survival rise with time' },
  threshold_not_stated: { status: 422, title: 'The agreement states no threshold' },
  name_in_use: { status: 422, title: 'The name is taken' },
  unexpected_body: { status: 422, title: 'The operation takes no body' },
  unknown_action: { status: 422, title: 'The catalogue has no such action' },
  action_not_delegable: { status: 422, title: 'The action cannot be given to a machine' },
  unknown_connector: { status: 422, title: 'The workspace has no such connector in force' },
  connector_unsupported: { status: 422, title: 'The connector does not carry that' },
  mode_not_allowed_for_tier: { status: 422, title: 'The tier of risk does not allow the mode' },
  budget_order: { status: 422, title: 'The budgets are not in order' },
  identity_ceiling_exceeded: { status: 422, title: 'The budgets exceed the ceiling of the identity' },
  validity_window: { status: 422, title: 'The window of validity is not allowed' },
  unknown_time_zone: { status: 422, title: 'The time zone is not known' },
  unknown_delegation: { status: 422, title: 'There is no such delegation of the identity' },
  not_identifiable: { status: 422, title: 'The model is not identifiable with this request' },
  no_observations: { status: 422, title: 'Nothing was observed by the as-of date' },
  leakage: { status: 422, title: 'The features would know what lies behind the as-of date' },
  experiment_too_large: { status: 422, title: 'The experiment has too many cells' },
  snapshots_differ: { status: 422, title: 'The snapshots do not go together' },
  unknown_feature: { status: 422, title: 'The workspace has no such feature' },
  snapshot_altered: { status: 409, title: 'A sealed snapshot is not what was sealed' },
  model_version_closed: { status: 409, title: 'The version of the model is closed' },
  no_checkpoint: { status: 409, title: 'The model has no checkpoint' },
  model_not_generative: { status: 409, title: 'Nothing can be drawn from a model of this family' },
  context_missing: { status: 409, title: 'The context of the model is not known' },
  model_superseded: { status: 409, title: 'The version of the model has been superseded' },
  context_stale: { status: 409, title: 'The context of the model is too old' },
  context_unsynchronised: { status: 409, title: 'The context of the model is not of one time' },
  training_data_ineligible: { status: 422, title: 'The data are nothing to train the model on' },
  stress_invalid: { status: 422, title: 'The shocks cannot be' },
  reference_too_small: { status: 422, title: 'Too few rows to learn from' },
  drift_ineligible: { status: 409, title: 'The dataset or the checkpoint cannot be assessed' },
  dataset_not_governed: { status: 409, title: 'The dataset is not governed' },
  target_unobserved: { status: 422, title: 'Too few targets were observed' },
  unknown_metric: { status: 422, title: 'There is no such metric' },
  unknown_company: { status: 422, title: 'The workspace has no such company' },
  insufficient_history: { status: 422, title: 'Too little history to forecast' },
  horizon_out_of_bounds: { status: 422, title: 'The horizon is out of bounds' },
  too_many_gaps: { status: 422, title: 'Too many periods have no value' },
  non_finite_value: { status: 422, title: 'A value of the series is not finite' },
  method_not_applicable: { status: 422, title: 'The method cannot take the series' },
  calendar_not_applicable: { status: 422, title: 'The series cannot be adjusted by the calendar' },
  frequency_unavailable: { status: 422, title: 'The metric is not observed so often' },
  currencies_mixed: { status: 422, title: 'The metric is in several currencies' },
  headers_too_large: { status: 431, title: 'The head of the request is too large' },
  slow_down: { status: 429, title: 'Too many failures to prove who one is' },
  too_many_waiting: { status: 429, title: 'Too many requests wait at the same time' },
  queue_full: { status: 429, title: 'The queue of the workspace is full' },
  rate_limit_exceeded: { status: 429, title: 'A rate limit is used up' },
  batch_too_large: { status: 422, title: 'The batch is larger than the queue of the workspace' },
  log_integrity_failure: { status: 500, title: 'The audit log is not what it was' },
  finops_policy_is_observational: { status: 422, title: 'Costs are observed, and stop nothing' },
  unknown_workflow: { status: 422, title: 'The workspace has no such workflow' },
  internal_error: { status: 500, title: 'An unexpected error' },
  taxonomy_unavailable: { status: 503, title: 'No taxonomy was published by the as-of date' },
  taxonomy_exposure_insufficient: { status: 503, title: 'Too few symbols with taxonomy exposure' },
  market_history_insufficient: { status: 503, title: 'Too little observed market history' },
  dependency_unavailable: { status: 503, title: 'A service that Assay depends on is not available' },
  signing_unavailable: { status: 503, title: 'No key can sign' },
  policy_unavailable: { status: 503, title: 'The policies cannot be asked' },
  time_limit_exceeded: { status: 504, title: 'The run exceeded its time limit' },
} as const;

export type ProblemCode = keyof typeof problems;

/** One fault of a request: where (a JSON pointer into the named part), which rule, and what to do. */
export type Fault = {
  pointer: string;
  in: 'body' | 'query' | 'path' | 'header';
  code: string;
  message: string;
};

export type ProblemOptions = {
  errors?: readonly Fault[];
  /** Further documented members of the body, such as `observed` and `needed`. */
  members?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
};

/** A refusal that the caller is told about. `detail` is written for the caller and never carries internals. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly Fault[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** The problem of a request with these faults. */
export function invalid(faults: readonly Fault[]): Problem {
  const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
  return new Problem('validation_failed', `${count} in the request; see errors.`, { errors: faults });
}

/** What is stored with a failed run: enough to answer a later caller exactly as the waiting one. */
export type StoredProblem = { code: ProblemCode; detail: string; members: Readonly<Record<string, unknown>> };

export function storedProblem(problem: Problem): StoredProblem {
  return { code: problem.code, detail: problem.detail, members: problem.members };
}

/** The RFC 9457 body of a problem. */
export function problemBody(
  problem: Pick<Problem, 'code' | 'detail' | 'members'> & { errors?: readonly Fault[] },
  requestId?: string,
): Record<string, unknown> {
  const { status, title } = problems[problem.code];
  return {
    ...problem.members,
    type: `/problems/${problem.code}`,
    title,
    status,
    detail: problem.detail,
    code: problem.code,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(problem.errors?.length ? { errors: problem.errors } : {}),
  };
}
