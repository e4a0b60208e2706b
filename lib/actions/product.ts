import { defineProduct } from '#lib/core/product.ts';

const progressColumns = 'state, version, progress, closed_at';
const decisionColumns = `controls, approved_by_uid, approved_at, approved_root, approved_authority_uid, released_by_uid,
  released_at, released_authority_uid, tolerance, cancelled_by_uid, cancelled_at, cancel_reason`;
const raisesExceptions = `select,
  insert (uid, workspace_uid, environment, batch_uid, key, fingerprint, kind, severity, state, order_uid,
    observation_uid, line_reference, currency, amount_minor, explanation, causes, opened_at),
  update (fingerprint, state, order_uid, observation_uid, line_reference, currency, amount_minor, explanation, causes,
    ended_by, ended_at)`;
const batchMoved = ['from', 'to'];
const ofDelegation = ['delegation_uid'];
const ofBatch = ['batch_uid'];

/** Financial actions: obligations, delegations with their approvals, and the execution of order batches. */
export const actions = defineProduct({
  folder: 'actions',
  serves: {
    'Financial Actions': {
      paths: ['/actions'],
      about: 'Obligations, delegations, and the governed steps that lead to a financial action.',
    },
  },
  scopes: ['actions:create', 'actions:read', 'actions:execute', 'investment:execute'],
  asked: {
    batch: {
      title: 'order batch',
      domain: 'execution',
      names: ['batch', 'batches', 'order batch', 'order batches', 'batch of orders', 'batches of orders'],
      table: 'order_batch',
      rows: 'environment',
      uid: 'uid',
      label: 'batch_reference',
      fields: {
        state: { column: 'state', reads: 'text', names: ['state', 'status'] },
        orders: {
          column: 'order_count',
          reads: 'count',
          names: ['orders', 'number of orders', 'order count'],
        },
        created: { column: 'created_at', reads: 'day', names: ['creation date', 'created'] },
      },
      words: {
        state: {
          drafted: ['drafted', 'draft', 'in draft'],
          approved: ['approved'],
          released: ['released'],
          executing: ['executing', 'in execution', 'being executed'],
          settled: ['settled'],
          cancelled: ['cancelled', 'canceled'],
          closed: ['closed'],
        },
      },
      day: 'created',
    },
    policy: governedRecords('policy', ['policy', 'policies', 'approval policy', 'approval policies']),
    authority: governedRecords('authority', ['authority', 'authorities', 'execution authorities']),
  },
  prefixes: {
    obligation: 'obl',
    ceiling: 'cei',
    role: 'rol',
    membership: 'mem',
    binding: 'bnd',
    machineIdentity: 'idt',
    identityCeiling: 'idc',
    actionType: 'act',
    connector: 'con',
    authority: 'aut',
    approvalGraph: 'agr',
    toleranceProfile: 'tol',
    delegation: 'dlg',
    approval: 'apr',
    approvalIntent: 'int',
    reservation: 'rsv',
    settlementCalendar: 'cal',
    preTradeRules: 'ptr',
    orderBatch: 'bat',
    batchOrder: 'ord',
    actionEnvelope: 'env',
    tradeConfirmation: 'tcf',
    custodyObservation: 'obs',
    reconciliation: 'rec',
    executionException: 'exc',
    legacyBatch: 'leg',
  },
  problems: {
    approver_not_bound: { status: 403, title: 'The application is not bound to a person who can approve' },
    sod_same_application: {
      status: 403,
      title: 'The drafter cannot approve: the same application drafted the delegation',
    },
    sod_same_principal: {
      status: 403,
      title:
        'The approving application and the drafting application have the same owner or responsible person',
    },
    sod_same_person: {
      status: 403,
      title: 'The drafter cannot approve: the drafting and the approving application share a person',
    },
    sod_issuer_overlap: {
      status: 403,
      title:
        'The drafter cannot approve: a person of one application issued a credential of the other application',
    },
    approver_not_a_person: {
      status: 403,
      title: 'The approving application is bound to a person who is not active',
    },
    authority_missing: { status: 403, title: 'The approving person has no authority' },
    authority_inactive: { status: 403, title: 'The authority of the approving person is not active' },
    authority_insufficient: {
      status: 403,
      title: 'The authority of the approving person does not cover the terms',
    },
    batch_cancelled: { status: 409, title: 'The order batch was cancelled' },
    identity_not_active: { status: 409, title: 'The machine identity is not active' },
    delegation_limit_reached: {
      status: 409,
      title: 'The machine identity has reached its maximum number of delegations',
    },
    equivalent_delegation_active: {
      status: 409,
      title: 'The machine identity already has an equivalent delegation',
    },
    delegation_not_draft: { status: 409, title: 'The delegation is not a draft' },
    delegation_expired: { status: 409, title: 'The delegation was not approved in time' },
    terms_no_longer_valid: {
      status: 409,
      title: 'The terms of the delegation refer to records that are no longer active',
    },
    approval_graph_missing: { status: 409, title: 'No approval graph is active for these terms' },
    approval_graph_unsatisfiable: {
      status: 409,
      title: 'Too few independent persons can approve the delegation',
    },
    approval_node_not_open: { status: 409, title: 'An earlier node of the approval graph is still open' },
    approval_already_recorded: { status: 409, title: 'The person has already voted' },
    approval_intent_required: { status: 409, title: 'The risk tier requires an approval intent' },
    approval_intent_expired: { status: 409, title: 'The approval intent has expired' },
    approval_intent_mismatch: {
      status: 409,
      title: 'The approval intent is for other terms or another node',
    },
    passkey_required: { status: 403, title: 'The workspace requires a passkey' },
    obligation_withdrawn: { status: 409, title: 'The obligation of this source was withdrawn permanently' },
    unknown_custodian: { status: 422, title: 'The custodian does not exist in the workspace' },
    custody_source_not_independent: {
      status: 422,
      title: 'The custody source is not independent: it executed or confirmed the trade',
    },
    insufficient_evidence: { status: 422, title: 'The custody evidence is not enough for a settlement' },
    invalid_custody_evidence: { status: 422, title: 'The custody evidence is not valid' },
    observation_conflict: {
      status: 422,
      title: 'The observation contradicts the observation stored under the same reference',
    },
    unknown_action: { status: 422, title: 'The action does not exist in the catalogue' },
    action_not_delegable: { status: 422, title: 'The action cannot be delegated to a machine' },
    unknown_connector: { status: 422, title: 'The workspace has no active connector with this key' },
    connector_unsupported: { status: 422, title: 'The connector does not support the terms' },
    mode_not_allowed_for_tier: { status: 422, title: 'The risk tier does not allow the execution mode' },
    budget_order: { status: 422, title: 'The budgets are not in ascending order' },
    identity_ceiling_exceeded: {
      status: 422,
      title: 'The budgets of the delegation exceed the ceiling of the machine identity',
    },
    validity_window: { status: 422, title: 'The validity period is not allowed' },
    unknown_time_zone: { status: 422, title: 'The time zone does not exist' },
    unknown_delegation: { status: 422, title: 'The machine identity has no matching delegation to replace' },
  },
  tables: {
    /**
     * The API inserts obligations. It can count repeated sources of an obligation and mark an obligation as
     * disputed, but cannot change the content.
     */
    obligation: {
      rows: 'environment',
      operator: 'select, insert, update',
      api: 'select, insert, update (governance_state, conflicts_open, times_seen, last_seen_at)',
      worker: 'select',
      console: 'select, insert, update (governance_state, conflicts_open)',
    },
    legacy_batch: { rows: 'environment', operator: 'select, insert', api: 'select' },
    /**
     * Only the operator's role writes the content of a batch. The console also writes the decisions on a batch. After
     * the release, the API and the workers update the state of the batch from evidence.
     */
    order_batch: {
      rows: 'environment',
      operator: 'select, insert, update',
      api: `select, update (${progressColumns})`,
      worker: `select, update (${progressColumns})`,
      console: `select, update (${progressColumns}, ${decisionColumns})`,
    },
    batch_order: {
      rows: 'environment',
      operator: 'select, insert, update (state)',
      api: 'select, update (state)',
      worker: 'select, update (state)',
      console: 'select, update (state)',
    },
    trade_confirmation: {
      rows: 'environment',
      operator: 'select, insert, update (times_seen, last_seen_at)',
      api: 'select',
      worker: 'select',
    },
    custody_observation: {
      rows: 'environment',
      operator: 'select',
      api: 'select, insert, update (times_seen, last_seen_at)',
      worker: 'select',
    },
    /**
     * The API and the workers open and clear exceptions. Only the operator's role and the console acknowledge, resolve
     * or waive them.
     */
    execution_exception: {
      rows: 'environment',
      operator: 'select, insert, update',
      api: raisesExceptions,
      worker: raisesExceptions,
      console: 'select, insert, update',
    },
    /** The API drafts delegations and counts votes. Only a function that checks the quorum activates a delegation. */
    delegation: {
      rows: 'environment',
      operator: 'select, update (state, activated_at, ended_at, state_reason)',
      api: 'select, insert',
      worker: 'select, update (state, ended_at, state_reason)',
      console: 'select, update (state, ended_at, state_reason)',
    },
    delegation_approval: {
      rows: 'environment',
      operator: 'select, insert, update (state, void_reason, voided_at)',
      api: 'select, insert, update (state, void_reason, voided_at)',
      worker: 'select, update (state, void_reason, voided_at)',
      console: 'select, insert, update (state, void_reason, voided_at)',
    },
    approval_intent: { rows: 'environment', operator: 'select, insert', api: 'select' },
    delegation_window: {
      rows: 'environment',
      operator: 'select, insert, update (reserved, settled)',
      api: 'select',
    },
    reservation: {
      rows: 'environment',
      operator: 'select, insert, update (state, settled, ended_at, exception, offered, evidence)',
      api: 'select',
      worker: 'select, update (state, exception)',
    },
  },
  events: {
    'actions:read': {
      'obligation.registered': 'An obligation was registered from its source record.',
      'obligation.conflict': {
        about:
          'Evidence was refused because it contradicts the obligation that has the same source reference.',
        outcome: 'refused',
      },
      'obligation.conflict_resolved': {
        about: 'A conflict about an obligation was resolved.',
        members: ['conflict_uid', 'decision'],
      },
      'obligation.withdrawn': { about: 'An obligation was withdrawn.', members: ['from'] },
      'delegation.drafted': 'A delegation was drafted. A draft cannot be used.',
      'delegation.approval_recorded': {
        about: 'A person voted for a delegation.',
        members: ['approval_uid', 'node', 'person_uid'],
      },
      'delegation.approval_refused': { about: 'A vote for a delegation was refused.', outcome: 'refused' },
      'delegation.vote_voided': {
        about: 'A vote for a delegation became void.',
        members: ['approval_uid'],
      },
      'delegation.activated': {
        about: 'A delegation was activated.',
        members: ['approval_uid', 'node', 'person_uid'],
      },
      'delegation.suspended': 'A delegation was suspended.',
      'delegation.resumption_voted': 'A person voted to resume a delegation.',
      'delegation.resumed': 'A suspended delegation was resumed.',
      'delegation.rejected': 'A delegation was rejected.',
      'delegation.withdrawn': 'The draft of a delegation was withdrawn.',
      'delegation.revoked': 'A delegation was revoked.',
      'delegation.expired': 'A delegation or the draft of a delegation expired.',
      'delegation.superseded': {
        about: 'Another delegation replaced this delegation.',
        members: ['replaced_by'],
      },
      'delegation.authorized': {
        about: 'The use of a delegation was authorized, and the amount was reserved.',
        members: ['reservation_uid'],
      },
      'reservation.settled': { about: 'A reservation was settled.', members: ofDelegation },
      'reservation.released': {
        about: 'A reservation was released without a settlement.',
        members: ofDelegation,
      },
      'reservation.stuck': 'A reservation became stuck: its lease ended before an outcome was reported.',
      ...governed('action', 'action'),
      ...governed('authority', 'authority'),
      ...governed('binding', 'binding of an application to a person'),
      ...governed('ceiling', 'workspace ceiling'),
      ...governed('connector', 'connector'),
      ...governed('graph', 'approval graph'),
      ...governed('identity', 'machine identity'),
      ...governed('identity_ceiling', 'ceiling of a machine identity'),
      ...governed('membership', 'role membership of a person'),
      ...governed('policy', 'policy'),
    },
    'investment:read': {
      'batch.imported': { about: 'An order batch was imported.', members: ['orders'] },
      'batch.evaluated': {
        about: 'The pre-trade controls of an order batch were evaluated.',
        members: batchMoved,
      },
      'batch.approved': { about: 'An order batch was approved.', members: batchMoved },
      'batch.released': { about: 'An order batch was released.', members: batchMoved },
      'batch.confirmed': {
        about: 'A trade confirmation for an order batch was recorded.',
        members: ['state'],
      },
      'batch.cancelled': { about: 'An order batch was cancelled.', members: batchMoved },
      'batch.state_changed': { about: 'Evidence changed the state of an order batch.', members: batchMoved },
      'batch.closed': {
        about: 'An order batch was closed because custody evidence covers all of its orders.',
        members: batchMoved,
      },
      'batch.reopened': {
        about: 'A closed order batch was reopened because evidence contradicts it.',
        members: batchMoved,
      },
      'custody.observed': { about: 'Custody evidence was recorded.', members: ['batch_uid', 'outcome'] },
      'custody.conflict': {
        about: 'Custody evidence was refused because it contradicts an earlier observation.',
        members: ['batch_uid', 'conflict_uid'],
        outcome: 'refused',
      },
      'exception.opened': { about: 'A settlement exception was opened.', members: ['kind', 'batch_uid'] },
      'exception.acknowledged': { about: 'A person acknowledged a settlement exception.', members: ofBatch },
      'exception.resolved': {
        about: 'A settlement exception was resolved.',
        members: ['kind', 'batch_uid', 'by'],
      },
      'exception.waiver_requested': {
        about: 'A person requested the waiver of a settlement exception.',
        members: ofBatch,
      },
      'exception.waived': { about: 'Two persons waived a settlement exception.', members: ofBatch },
    },
  },
});

/** Returns the events of a kind of governed record. Two persons activate each version of such a record. */
function governed<Kind extends string>(kind: Kind, name: string) {
  return {
    [`${kind}.activated`]: `A version of the ${name} was activated.`,
    [`${kind}.suspended`]: `The ${name} was suspended.`,
    [`${kind}.ended`]: `A version of the ${name} ended.`,
  } as Record<`${Kind}.${'activated' | 'suspended' | 'ended'}`, string>;
}

/** Governed records of one kind, as questions may be about them. */
function governedRecords(kind: 'policy' | 'authority', names: readonly string[]) {
  return {
    title: kind,
    domain: 'actions',
    names,
    table: 'governed_record',
    rows: 'environment',
    uid: 'uid',
    label: 'uid',
    only: { kind },
    fields: {
      state: { column: 'state', reads: 'text', names: ['state', 'status'] },
      name: { column: 'name', reads: 'text', names: ['name', 'names'] },
    },
    words: {
      state: {
        draft: ['draft', 'drafts', 'in draft'],
        submitted: ['submitted', 'waiting for approval', 'awaiting approval'],
        active: ['active', 'in force', 'in effect', 'effective'],
        suspended: ['suspended'],
        ended: ['ended', 'expired'],
      },
    },
  } as const;
}
