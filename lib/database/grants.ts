import type { Client } from 'pg';
import { roleName, roles, type Role } from './roles.ts';

/** The first server version that lets a role which owns nothing analyze a table. */
const MAINTAIN_SINCE = 170_000;

type Privileges = Partial<Record<Role, string>>;

const operatorWrites: Privileges = { operator: 'select, insert, update', api: 'select', worker: 'select' };
const operatorAppends: Privileges = { operator: 'select, insert', api: 'select', worker: 'select' };
/** What operators import, and steps of workflows of files that an operator has kept: into datasets of their workspace. */
const imports: Privileges = { operator: 'select, insert', api: 'select', worker: 'select, insert' };
/** Observations come in bulk: whoever brings them also brings the planner's statistics up to date. */
const operatorImports: Privileges = { operator: 'select, insert, maintain', api: 'select', worker: 'select' };
const bulkImports: Privileges = {
  operator: 'select, insert, maintain',
  api: 'select',
  worker: 'select, insert, maintain',
};
/** Who has an effect writes its entry, and nobody changes one. The other columns follow from these. */
const auditAppends = 'select, insert (workspace_uid, environment, body)';
const decisionAppends: Privileges = {
  operator: 'select, insert',
  api: 'select, insert',
  worker: 'select, insert',
};
const sequencerAppends: Privileges = { operator: 'select', api: 'select', worker: 'select, insert' };

const progressColumns = 'state, version, progress, closed_at';
const raisesExceptions = `select,
  insert (uid, workspace_uid, environment, batch_uid, key, fingerprint, kind, severity, state, order_uid,
    observation_uid, line_reference, currency, amount_minor, explanation, causes, opened_at),
  update (fingerprint, state, order_uid, observation_uid, line_reference, currency, amount_minor, explanation, causes,
    ended_by, ended_at)`;

/**
 * Who may do what to each table. What gives authority, credentials or data is the operator's to write; the API
 * submits and cancels runs; the operator may do so too, for models; workers run them, and submit those of workflows. A
 * table that is not listed here is closed to all roles.
 */
export const grants: Record<string, Privileges> = {
  workspace: operatorWrites,
  person: operatorWrites,
  application: operatorWrites,
  credential: { operator: 'select, insert, update', api: 'select' },
  dataset: {
    operator: 'select, insert, update',
    api: 'select',
    worker: 'select, update (revision, rows_held, content_hash, first_observed_on, last_observed_on)',
  },
  dataset_entitlement: { operator: 'select, insert, delete', api: 'select', worker: 'select' },
  dataset_import: imports,
  dataset_retention: operatorWrites,
  instrument: bulkImports,
  instrument_version: bulkImports,
  price: bulkImports,
  corporate_action: bulkImports,
  fundamental: bulkImports,
  economic_series: bulkImports,
  economic_observation: bulkImports,
  feature: operatorWrites,
  feature_version: operatorAppends,
  /** Materialised by workers; brought by operators. */
  feature_value: { operator: 'select, insert, maintain', api: 'select', worker: 'select, insert, maintain' },
  ledger_account: operatorAppends,
  ledger_import: operatorAppends,
  ledger_transaction: operatorImports,
  ledger_posting: operatorAppends,
  /** Workers seal them by the calendar, operators when they want one. */
  ledger_snapshot: { operator: 'select, insert', api: 'select', worker: 'select, insert' },
  company: operatorAppends,
  metric_definition: operatorAppends,
  company_metric: bulkImports,
  numeric_version: imports,
  numeric_row: bulkImports,
  numeric_description: operatorAppends,
  numeric_approval: operatorAppends,
  feature_materialisation: {
    operator: 'select, insert, update',
    api: 'select',
    worker: 'select, insert, update',
  },
  research_project: operatorWrites,
  project_version: operatorAppends,
  taxonomy_version: operatorImports,
  taxonomy_exposure: operatorImports,
  model_version: operatorWrites,
  model_alias: operatorAppends,
  lqm_model: operatorWrites,
  lqm_version: operatorWrites,
  lqm_serving: operatorAppends,
  /** Workers seal assessments and ask for reviews; persons decide about them. */
  drift_metric: { operator: 'select', api: 'select', worker: 'select, insert' },
  retraining_request: {
    operator:
      'select, update (state, reviewed_by_uid, reviewed_at, reason, trained_version_uid, training_uid)',
    api: 'select',
    worker: 'select, insert',
  },
  run: {
    operator: 'select, insert, update (state, finished_at)',
    api: 'select, insert, update (state, finished_at)',
    worker: 'select, insert, update (state, progress, attempts, problem, started_at, finished_at)',
  },
  run_result: { operator: 'select', api: 'select', worker: 'select, insert' },
  run_matrix: { operator: 'select', api: 'select', worker: 'select, insert' },
  /** Kept by workers for one another until the run ends. */
  run_part: { operator: 'select', api: 'select', worker: 'select, insert' },
  dispatch: {
    operator: 'select, insert, delete',
    api: 'select, insert, delete',
    worker: 'select, insert, delete, update (tag, started_at)',
  },
  /** Whoever asks for forecasts writes what was asked for; that it was cancelled is all that changes. */
  forecast_batch: { operator: 'select', api: 'select, insert, update (cancelled_at)', worker: 'select' },
  forecast_batch_item: { operator: 'select', api: 'select, insert', worker: 'select' },
  forecast_score: { operator: 'select', api: 'select', worker: 'select, insert, update' },
  forecast_watch: { operator: 'select', api: 'select', worker: 'select, insert, update (look_at), delete' },
  counterparty: operatorWrites,
  /** The API registers; what is registered it can count and dispute, never change. */
  obligation: {
    operator: 'select, insert, update',
    api: 'select, insert, update (governance_state, conflicts_open, times_seen, last_seen_at)',
    worker: 'select',
  },
  netting_set: {
    operator: 'select, insert, update (conflicts_open, superseded_at)',
    api: 'select, insert, update (conflicts_open, times_seen, last_seen_at)',
    worker: 'select',
  },
  evidence_conflict: {
    operator: 'select, update',
    api: 'select, insert, update (times_offered)',
    worker: 'select',
  },
  governed_record: operatorWrites,
  legacy_batch: { operator: 'select, insert', api: 'select' },
  /** What a batch is made of, and who decided on it, is the operator's; evidence moves it on after its release. */
  order_batch: {
    operator: 'select, insert, update',
    api: `select, update (${progressColumns})`,
    worker: `select, update (${progressColumns})`,
  },
  batch_order: {
    operator: 'select, insert, update (state)',
    api: 'select, update (state)',
    worker: 'select, update (state)',
  },
  trade_confirmation: {
    operator: 'select, insert, update (times_seen, last_seen_at)',
    api: 'select',
    worker: 'select',
  },
  custody_observation: {
    operator: 'select',
    api: 'select, insert, update (times_seen, last_seen_at)',
    worker: 'select',
  },
  /** Evidence opens and clears exceptions; to acknowledge, resolve or waive one is a person's. */
  execution_exception: {
    operator: 'select, insert, update',
    api: raisesExceptions,
    worker: raisesExceptions,
  },
  /** Whoever asks the policies keeps what they said; nobody changes it. */
  policy_set: decisionAppends,
  policy_decision: decisionAppends,
  /** The API drafts and counts votes; into force they come by a function that asks for the quorum. */
  delegation: {
    operator: 'select, update (state, activated_at, ended_at, state_reason)',
    api: 'select, insert',
    worker: 'select, update (state, ended_at, state_reason)',
  },
  delegation_approval: {
    operator: 'select, insert, update (state, void_reason, voided_at)',
    api: 'select, insert, update (state, void_reason, voided_at)',
    worker: 'select, update (state, void_reason, voided_at)',
  },
  approval_intent: { operator: 'select, insert', api: 'select' },
  delegation_window: { operator: 'select, insert, update (reserved, settled)', api: 'select' },
  reservation: {
    operator: 'select, insert, update (state, settled, ended_at, exception, offered, evidence)',
    api: 'select',
    worker: 'select, update (state, exception)',
  },
  /** Persons publish workflows, start their runs and decide in them; no credential does. Workers carry them on. */
  workflow_version: {
    operator: 'select, insert, update (state, published_by_uid, published_at, ended_at)',
    api: 'select',
    worker: 'select',
  },
  workflow_admission: { operator: 'select, insert', api: 'select', worker: 'select, insert' },
  workflow_run: {
    operator: 'select, insert, update (state, ended_at)',
    api: 'select',
    worker: 'select, insert, update (state, error_code, outputs_hash, started_at, ended_at)',
  },
  workflow_step: {
    operator: 'select, insert, update (state, error_code, decided_by_uid, ended_at)',
    api: 'select',
    worker: `select, insert,
      update (state, attempts, not_before, job_uid, output, output_hash, error_code, started_at, ended_at)`,
  },
  workflow_step_run: { operator: 'select', api: 'select', worker: 'select, insert' },
  workflow_watch: {
    operator: 'select, insert, update (look_at)',
    worker: 'select, insert, update (look_at), delete',
  },
  /** Persons say what starts by the clock; workers start it, by an admission like any other start. */
  workflow_schedule: {
    operator: 'select, insert, update (state, due_at, look_at)',
    worker: `select, update (due_at, look_at, last_due_at, last_outcome, last_missed, last_admission_uid,
      last_run_uid)`,
  },
  workflow_file: { operator: 'select, insert, update (removed_at)', worker: 'select' },
  workflow_file_chunk: { operator: 'select, insert, delete', worker: 'select' },
  workflow_meter: { operator: 'select', api: 'select', worker: 'select, insert' },
  workflow_budget_crossing: { operator: 'select, insert', worker: 'select, insert' },
  workflow_rate: operatorAppends,
  finops_policy: { operator: 'select', api: 'select, insert', worker: 'select' },
  oauth_client: operatorWrites,
  access_token: {
    operator: 'select, update',
    api: 'select, insert, update (revoked_at)',
    worker: 'select, delete',
  },
  credential_use: { operator: 'select', api: 'select, insert, update' },
  production_access: operatorWrites,
  /** Closed to all roles: functions of the owner count in it. */
  rate_limit: {},
  penalty: {},
  person_code: { operator: 'select, insert, update' },
  /** Keys of providers are the operator's to set and the worker's to use. */
  ai_connection: operatorWrites,
  ai_connection_key: { operator: 'select, insert, update (key_id, wrapped_key)', worker: 'select' },
  ai_price: operatorAppends,
  ai_budget: operatorAppends,
  ai_call: { operator: 'select, insert, update', api: 'select', worker: 'select, insert, update' },
  summary_wording_choice: operatorAppends,
  summary_wording: { operator: 'select', api: 'select', worker: 'select, insert, update' },
  /** What agents called; nobody changes it, and workers forget it. */
  agent_invocation: { operator: 'select', api: 'select, insert', worker: 'select, delete' },
  /** The API takes over keys that have expired. */
  idempotency_key: {
    api: 'select, insert, update (fingerprint, run_uid, answer, created_at, expires_at)',
    worker: 'select, delete',
  },
  audit_entry: { operator: auditAppends, api: auditAppends, worker: auditAppends },
  audit_pending: { operator: 'select, insert', api: 'select, insert', worker: 'select, insert, delete' },
  audit_leaf: sequencerAppends,
  audit_node: sequencerAppends,
  audit_checkpoint: sequencerAppends,
  /** Operators make keys and retire them, workers sign with them; the API shows their public halves. */
  signing_key: {
    operator: 'select, insert, update (private_sealed, retired_at)',
    api: 'select (keyid, public_x, valid_from, retired_at)',
    worker: 'select',
  },
  value_snapshot: { operator: 'select, insert', api: 'select', worker: 'select, insert' },
  evidence_pack: { operator: 'select', api: 'select', worker: 'select, insert' },
  /** Made of entries of the log when they get their place. */
  event: { operator: 'select', api: 'select', worker: 'select, insert, delete' },
  event_position: { operator: 'select', worker: 'select, insert, update' },
  /** Operators say where events go; the io worker sends them, and stops where nobody takes them. */
  webhook: {
    operator: 'select, insert, update',
    worker: 'select, update (state, cause, failing_since, disabled_at)',
  },
  webhook_delivery: {
    operator: 'select, insert, update (state, attempts, due_at, ended_at)',
    worker: 'select, insert, update, delete',
  },
  webhook_attempt: { operator: 'select', worker: 'select, insert, delete' },
};

/**
 * Brings the privileges of a database to exactly the table above, in one transaction, so that processes which run
 * meanwhile never lack one. The client is the owner's.
 */
export async function applyGrants(client: Client, database: string): Promise<void> {
  const version = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  );
  const hasMaintain = version.rows[0]!.number >= MAINTAIN_SINCE;
  const statements: string[] = [];
  for (const role of roles) {
    const name = client.escapeIdentifier(roleName(database, role));
    statements.push(
      `revoke all on all tables in schema public from ${name}`,
      `grant usage on schema public to ${name}`,
      `grant execute on all functions in schema public to ${name}`,
    );
    for (const [table, privileges] of Object.entries(grants)) {
      const granted = hasMaintain ? privileges[role] : privileges[role]?.replace(', maintain', '');
      if (granted) statements.push(`grant ${granted} on ${table} to ${name}`);
    }
    statements.push(
      `grant usage on schema queue to ${name}`,
      `grant select, insert, update, delete on all tables in schema queue to ${name}`,
      `grant usage on all sequences in schema queue to ${name}`,
      `grant execute on all functions in schema queue to ${name}`,
    );
  }
  await client.query(statements.join(';\n')); // one query of several statements is one transaction
}
