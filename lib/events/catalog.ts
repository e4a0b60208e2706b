import type { Scope } from '#lib/core/scope.ts';

/**
 * The event catalogue. A type is the `op` of the entry of the audit log that the effect writes, so an event is there
 * exactly where the entry is. An entry whose `op` is not listed makes no event.
 */
export type EventType = {
  /** What a credential needs to see it: what it takes to read what it is about. */
  scope: Scope;
  /** What happened, in a sentence. */
  about: string;
  /** Which details of the entry it carries: names of records, states and codes, never what somebody wrote. */
  members: readonly string[];
  /** Whether it tells of what was done, of a refusal, or of either. */
  outcome: Outcome;
};

export type Outcome = 'done' | 'refused' | 'either';

type Told = string | { about: string; members?: readonly string[]; outcome?: Outcome };

const batchMoved = ['from', 'to'];
const ofDelegation = ['delegation_uid'];
const ofBatch = ['batch_uid'];
const ofKey = ['application', 'replaces'];

const told: { [S in Scope]?: Record<string, Told> } = {
  'actions:read': {
    'obligation.registered': 'The source record of an obligation was registered.',
    'obligation.conflict': {
      about: 'Other evidence was offered under the reference of an obligation.',
      outcome: 'refused',
    },
    'obligation.conflict_resolved': {
      about: 'A conflict of an obligation was decided.',
      members: ['conflict_uid', 'decision'],
    },
    'obligation.withdrawn': { about: 'An obligation was withdrawn.', members: ['from'] },
    'delegation.drafted': 'A delegation was drafted; it gives no power.',
    'delegation.approval_recorded': {
      about: 'A person voted for a delegation.',
      members: ['approval_uid', 'node', 'person_uid'],
    },
    'delegation.approval_refused': { about: 'A vote for a delegation was refused.', outcome: 'refused' },
    'delegation.vote_voided': {
      about: 'A vote for a delegation ceased to count.',
      members: ['approval_uid'],
    },
    'delegation.activated': {
      about: 'A delegation came into force.',
      members: ['approval_uid', 'node', 'person_uid'],
    },
    'delegation.suspended': 'A delegation was suspended.',
    'delegation.resumption_voted': 'A person voted to resume a delegation.',
    'delegation.resumed': 'A delegation is in force again.',
    'delegation.rejected': 'A delegation was rejected.',
    'delegation.withdrawn': 'The draft of a delegation was withdrawn.',
    'delegation.revoked': 'A delegation was revoked.',
    'delegation.expired': 'The time of a delegation or of its draft is over.',
    'delegation.superseded': { about: 'Another delegation took its place.', members: ['replaced_by'] },
    'delegation.authorized': {
      about: 'The use of a delegation was authorized; its amount is reserved.',
      members: ['reservation_uid'],
    },
    'reservation.settled': { about: 'A reservation was settled.', members: ofDelegation },
    'reservation.released': { about: 'A reservation was released.', members: ofDelegation },
    'reservation.stuck': 'Nobody told how what was reserved ended.',
    'workspace.frozen': 'All financial actions of the workspace stand still.',
    'workspace.thawed': 'Financial actions of the workspace are possible again.',
  },
  'investment:read': {
    'netting_set.recorded': 'The terms of a netting set were recorded.',
    'netting_set.conflict': {
      about: 'Other evidence was offered under the reference of a netting set.',
      outcome: 'refused',
    },
    'netting_set.conflict_resolved': {
      about: 'A conflict of a netting set was decided.',
      members: ['conflict_uid', 'decision'],
    },
    'batch.imported': { about: 'An order batch was imported.', members: ['orders'] },
    'batch.evaluated': { about: 'The pre-trade controls of a batch were evaluated.', members: batchMoved },
    'batch.approved': { about: 'A batch was approved.', members: batchMoved },
    'batch.released': { about: 'A batch was released.', members: batchMoved },
    'batch.confirmed': { about: 'A trade confirmation of a batch was recorded.', members: ['state'] },
    'batch.cancelled': { about: 'A batch was cancelled.', members: batchMoved },
    'batch.state_changed': { about: 'Evidence moved a batch on.', members: batchMoved },
    'batch.closed': { about: 'A batch closed: custody saw all of it.', members: batchMoved },
    'batch.reopened': { about: 'Evidence contradicts a batch that was closed.', members: batchMoved },
    'custody.observed': { about: 'Custody evidence was recorded.', members: ['batch_uid', 'outcome'] },
    'custody.conflict': {
      about: 'Custody evidence contradicts what was told before.',
      members: ['batch_uid', 'conflict_uid'],
      outcome: 'refused',
    },
    'exception.opened': { about: 'A reconciliation exception was opened.', members: ['kind', 'batch_uid'] },
    'exception.acknowledged': { about: 'Somebody looks after an exception.', members: ofBatch },
    'exception.resolved': { about: 'An exception was resolved.', members: ['kind', 'batch_uid', 'by'] },
    'exception.waiver_requested': { about: 'One person wants to waive an exception.', members: ofBatch },
    'exception.waived': { about: 'Two persons waived an exception.', members: ofBatch },
  },
  'quant:compute:read': {
    'run.sealed': { about: 'A run ended and its result is sealed.', members: ['kind', 'result_hash'] },
    'run.failed': { about: 'A run was refused or failed.', members: ['problem'] },
    'run.cancelled': 'A run was cancelled.',
  },
  'ml:read': {
    'drift.assessed': {
      about: 'The drift of a numeric model was assessed.',
      members: ['model_uid', 'severity', 'retraining_requested'],
    },
    'lqm.version_written': { about: 'A version of a numeric model was written.', members: ['version'] },
    'lqm.approved': { about: 'A version of a numeric model was approved and serves.', members: ['version'] },
    'lqm.retired': { about: 'A version of a numeric model was retired.', members: ['version'] },
    'lqm.retraining_requested': {
      about: 'Material drift asks for a review.',
      members: ['model_uid', 'assessment_uid'],
    },
    'lqm.retraining_approved': { about: 'A retraining was approved.', members: ['model_uid'] },
    'lqm.retraining_rejected': { about: 'A retraining was rejected.', members: ['model_uid'] },
    'model.activated': 'A version of a model serves.',
    'model.deactivated': 'No version of a model serves.',
  },
  'data:reference:read': {
    'dataset.imported': { about: 'Data were imported.', members: ['import', 'kind', 'rows'] },
    'dataset.described': 'A dataset was described.',
    'dataset.approved': 'A numeric dataset was approved.',
    'dataset.retention_set': { about: 'How long a dataset is kept was set.', members: ['keep_years'] },
    'dataset.partition_dropped': {
      about: 'A partition of old observations was dropped.',
      members: ['from', 'before'],
    },
    'dataset.observations_dropped': { about: 'Old observations were deleted.', members: ['before', 'rows'] },
  },
  'financial:read': {
    'ledger.imported': { about: 'Transactions were imported.', members: ['rows'] },
    'ledger.snapshot_sealed': { about: 'The balances of a day were sealed.', members: ['as_of'] },
  },
  'commercial:read': {
    'value.snapshot_sealed': 'The value of financial actions was sealed.',
  },
  'quant:research:read': {
    'project.created': { about: 'A research project was created.', members: ['id', 'version'] },
    'project.updated': { about: 'A research project has a new version.', members: ['id', 'version'] },
  },
  'workflow:read': {
    'workflow.admission_decided': {
      about: 'The start of a workflow was admitted or denied.',
      members: ['workflow', 'version', 'decision'],
      outcome: 'either',
    },
    'workflow.run_started': {
      about: 'A run of a workflow started.',
      members: ['workflow', 'version', 'admission_uid'],
    },
    'workflow.step_approved': 'A person approved the steps that a run waited at.',
    'workflow.run_cancelled': 'A run of a workflow was cancelled.',
    'workflow.run_ended': {
      about: 'A run of a workflow ended.',
      members: ['workflow', 'state', 'error_code'],
    },
    'workflow.scheduled': { about: 'A workflow is started by the clock from now on.', members: ['workflow'] },
    'workflow.schedule_suspended': {
      about: 'The clock starts a workflow no more for now.',
      members: ['workflow'],
    },
    'workflow.schedule_resumed': { about: 'The clock starts a workflow again.', members: ['workflow'] },
    'workflow.schedule_removed': { about: 'The clock starts a workflow no more.', members: ['workflow'] },
    'workflow.rate_set': 'What a second of computation costs was set.',
    'finops.policy_updated': 'The budget of workflows was set.',
    'finops.threshold_crossed': {
      about: 'The costs of workflows in a month reached a share of a budget.',
      members: ['month', 'workflow', 'threshold_pct', 'currency', 'cost_basis'],
    },
  },
  'ai:connections:read': {
    'ai.connection_created': 'A connection to an AI provider was made.',
    'ai.connection_revoked': 'A connection to an AI provider was revoked.',
    'ai.key_rotated': 'The key of a connection was changed.',
    'ai.price_set': 'A price of a provider was set.',
    'ai.budget_set': 'The budget of a connection was set.',
    'ai.wording_set': 'Who words the summary was set.',
  },
  'workspace:read': {
    'application.created': 'An application was created.',
    'application.scopes_set': 'The scopes of an application were set.',
    'application.suspended': 'An application was suspended.',
    'application.resumed': 'An application may call again.',
    'application.revoked': 'An application was revoked.',
    'key.issued': { about: 'A key was issued.', members: ofKey },
    'key.revoked': { about: 'A key was revoked.', members: ofKey },
    'oauth_client.issued': { about: 'An OAuth client was issued.', members: ofKey },
    'oauth_client.rotated': { about: 'The secret of an OAuth client was rotated.', members: ofKey },
    'oauth_client.revoked': { about: 'An OAuth client was revoked.', members: ofKey },
    'token.revoked': 'An access token was revoked.',
    'person.created': 'A person was created.',
    'person.enrolled': 'A person was given one-time codes.',
    'person.suspended': { about: 'A person was suspended.', members: batchMoved },
    'person.reinstated': { about: 'A person was reinstated.', members: batchMoved },
    'person.departed': { about: 'A person departed.', members: batchMoved },
    'production_access.requested': 'Production access was requested for an application.',
    'production_access.approved': 'An application has production access.',
    'production_access.revoked': 'An application has no production access any more.',
    'workspace.class_set': 'The service class of the workspace was set.',
    'workspace.entitlements_set': 'The entitlements of the workspace were set.',
    'webhook.created': 'A webhook was created.',
    'webhook.rotated': 'The secret of a webhook was rotated.',
    'webhook.enabled': 'Events go to a webhook again.',
    'webhook.disabled': { about: 'No event goes to a webhook any more.', members: ['cause'] },
  },
};

/** What gives authority and is governed by two persons. */
const governed = [
  'action',
  'authority',
  'binding',
  'ceiling',
  'connector',
  'graph',
  'identity',
  'identity_ceiling',
  'membership',
  'policy',
] as const;

const governedTypes = governed.flatMap((kind): [string, EventType][] => {
  const common = { scope: 'actions:read', members: [], outcome: 'done' } as const;
  const name = kind.replace('_', ' ');
  return [
    [`${kind}.activated`, { ...common, about: `A version of the ${name} came into force.` }],
    [`${kind}.suspended`, { ...common, about: `The ${name} was suspended.` }],
    [`${kind}.ended`, { ...common, about: `A version of the ${name} ended.` }],
  ];
});

/** Every type of event by its name. */
export const eventTypes: ReadonlyMap<string, EventType> = new Map([
  ...(Object.entries(told) as [Scope, Record<string, Told>][]).flatMap(([scope, types]) =>
    Object.entries(types).map(([name, type]): [string, EventType] => [name, typeOf(scope, type)]),
  ),
  ...governedTypes,
]);

function typeOf(scope: Scope, type: Told): EventType {
  const { about, members = [], outcome = 'done' } = typeof type === 'string' ? { about: type } : type;
  return { scope, about, members, outcome };
}
