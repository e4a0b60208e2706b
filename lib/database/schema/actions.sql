-- Obligations, delegations of authority to applications, and the execution of order batches.
--
-- The rules of delegations are enforced twice, in the application and by the triggers here. A role that may write
-- drafts and approvals can write neither a delegation that is in force, nor an approval that is not independent,
-- entitled and in turn, and it cannot activate a delegation without its quorum.

create table obligation (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  version integer not null default 1,
  governance_state text not null check (governance_state in ('registered', 'disputed', 'superseded', 'withdrawn')),
  counterparty_id integer not null references counterparty,
  source_system text not null,
  source_reference text not null,
  source_hash text not null,
  hash_grade text not null check (hash_grade in ('sha256', 'opaque')),
  currency text not null,
  content jsonb not null,
  record_hash text not null,
  conflicts_open integer not null default 0 check (conflicts_open >= 0),
  times_seen integer not null default 1,
  last_seen_at timestamptz not null,
  created_by_uid text not null references application,
  created_at timestamptz not null,
  supersedes_uid text references obligation
);
create unique index obligation_source on obligation (workspace_uid, environment, source_system, source_reference)
  where governance_state <> 'superseded';
create index on obligation (workspace_uid, environment, uid desc);
create index on obligation (workspace_uid, environment, source_hash);
alter table obligation enable row level security, force row level security;
create policy visible on obligation
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger keep before update on obligation for each row execute function keep_obligation();

create table delegation (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  state text not null check (state in
    ('draft', 'activated', 'suspended', 'rejected', 'withdrawn', 'expired', 'revoked', 'superseded')),
  identity_uid text not null references governed_record,
  terms jsonb not null,
  terms_hash text not null,
  reason text,
  graph_uid text not null references governed_record,
  graph_version integer not null,
  graph_hash text not null,
  nodes jsonb not null,
  creator jsonb not null,
  creator_persons text[] not null,
  created_by_uid text not null references application,
  created_at timestamptz not null,
  draft_expires_at timestamptz not null,
  valid_until timestamptz not null,
  replaces_uid text references delegation,
  activated_at timestamptz,
  ended_at timestamptz,
  state_reason text
);
create index on delegation (workspace_uid, environment, uid desc);
create index on delegation (identity_uid, state);
alter table delegation enable row level security, force row level security;
-- Workers look for expired delegations in all workspaces.
create policy visible on delegation
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));
create trigger checked before insert on delegation for each row execute function check_draft();
create trigger keep before update on delegation for each row execute function keep_delegation();

create table approval_intent (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  delegation_uid text not null references delegation,
  person_uid text not null references person,
  application_uid text not null references application,
  node integer not null,
  terms_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
alter table approval_intent enable row level security, force row level security;
create policy visible on approval_intent
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table delegation_approval (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  delegation_uid text not null references delegation,
  node integer not null,
  person_uid text not null references person,
  role text,
  -- Null where a person resumes a delegation on the command line, where no application speaks for anybody.
  application_uid text references application,
  credential_uid text,
  binding_uid text references governed_record,
  authority_uid text not null references governed_record,
  authority_version integer not null,
  authority_hash text not null,
  intent_uid text unique references approval_intent,
  independence jsonb not null,
  decision_uid text,
  terms_hash text not null,
  at timestamptz not null,
  state text not null default 'counted' check (state in ('counted', 'voided')),
  void_reason text,
  voided_at timestamptz,
  check ((state = 'voided') = (voided_at is not null)),
  check (jsonb_array_length(independence -> 'intersections') = 0)
);
create unique index delegation_approval_person on delegation_approval (delegation_uid, person_uid)
  where state = 'counted';
create index on delegation_approval (authority_uid);
alter table delegation_approval enable row level security, force row level security;
create policy visible on delegation_approval
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger checked before insert on delegation_approval for each row execute function check_approval();
create trigger keep before update on delegation_approval for each row execute function keep_approval();

-- What is used of a delegation's budgets, by day and by month.
create table delegation_window (
  delegation_uid text not null references delegation,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  kind text not null check (kind in ('day', 'month')),
  key text not null,
  cap bigint not null,
  reserved bigint not null check (reserved >= 0),
  settled bigint not null check (settled >= 0),
  primary key (delegation_uid, kind, key),
  check (reserved + settled <= cap)
);
alter table delegation_window enable row level security, force row level security;
create policy visible on delegation_window
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table reservation (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  delegation_uid text not null references delegation,
  reference text not null,
  state text not null check (state in ('reserved', 'settled', 'released', 'stuck')),
  envelope jsonb not null,
  envelope_hash text not null,
  amount bigint not null check (amount >= 1),
  settled bigint check (settled >= 0 and settled <= amount),
  day text not null,
  month text not null,
  decision_uid text,
  created_at timestamptz not null,
  lease_until timestamptz not null,
  ended_at timestamptz,
  exception text,
  offered bigint check (offered > amount),
  evidence text,
  unique (delegation_uid, reference),
  check (offered is null or state = 'stuck' or state = 'settled' and settled = amount)
);
create index on reservation (workspace_uid, environment, uid desc);
create index on reservation (state, lease_until) where state = 'reserved';
alter table reservation enable row level security, force row level security;
-- Workers look for expired leases in all workspaces.
create policy visible on reservation
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));
create trigger keep before update on reservation for each row execute function keep_reservation();

create table legacy_batch (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  source_system text not null,
  legacy_reference text not null,
  portfolio_uid text not null,
  status text not null,
  order_count integer not null check (order_count >= 0),
  created_at timestamptz not null,
  imported_by_uid text not null references person,
  imported_at timestamptz not null,
  unique (workspace_uid, environment, source_system, legacy_reference)
);
create index on legacy_batch (workspace_uid, environment, uid desc);
alter table legacy_batch enable row level security, force row level security;
create policy visible on legacy_batch
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- `tolerance` is the matching tolerance that was in force at the release.
create table order_batch (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  version integer not null default 1,
  batch_reference text not null,
  portfolio_uid text not null,
  legacy_uid text unique references legacy_batch,
  state text not null check (state in ('drafted', 'controls_failed', 'controls_passed', 'approved', 'cancelled',
    'released', 'executing', 'confirmed', 'partially_settled', 'settled', 'exception', 'closed')),
  envelope_uid text not null unique,
  envelope_hash text not null,
  material_hash_root text not null,
  order_count integer not null check (order_count >= 1),
  controls jsonb,
  imported_by_uid text not null references person,
  created_at timestamptz not null,
  approved_by_uid text references person,
  approved_at timestamptz,
  approved_root text,
  approved_authority_uid text references governed_record,
  released_by_uid text references person,
  released_at timestamptz,
  released_authority_uid text references governed_record,
  tolerance jsonb,
  cancelled_by_uid text references person,
  cancelled_at timestamptz,
  cancel_reason text,
  progress jsonb not null,
  closed_at timestamptz,
  unique (workspace_uid, environment, batch_reference),
  check (approved_by_uid is null or approved_by_uid <> imported_by_uid),
  check (released_by_uid is null or released_by_uid <> imported_by_uid),
  check ((approved_at is null) = (approved_authority_uid is null)),
  check ((released_at is null) = (released_authority_uid is null)),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check ((released_at is not null) =
    (state in ('released', 'executing', 'confirmed', 'partially_settled', 'settled', 'exception', 'closed')))
);
create index on order_batch (workspace_uid, environment, uid desc);
create index on order_batch (state) where state not in ('cancelled', 'closed');
alter table order_batch enable row level security, force row level security;
-- Workers look for overdue settlements in all workspaces.
create policy visible on order_batch
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));
create trigger keep before update on order_batch for each row execute function keep_order_batch();
create trigger start before insert on order_batch for each row execute function start_order_batch();

create table batch_order (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  batch_uid text not null references order_batch,
  order_hash text not null check (order_hash ~ '^sha256:[0-9a-f]{64}$'),
  instrument jsonb not null,
  side text not null check (side in ('buy', 'sell')),
  quantity text not null check (quantity ~ '^[0-9]{1,15}([.][0-9]{1,8})?$'),
  order_type text not null check (order_type in ('market', 'limit')),
  limit_price text check (limit_price ~ '^[0-9]{1,15}([.][0-9]{1,8})?$'),
  reference_price text,
  currency text not null,
  account_reference text not null,
  time_in_force text not null check (time_in_force in ('day', 'gtc', 'ioc', 'fok')),
  settlement_date date not null,
  state text not null default 'open'
    check (state in ('open', 'partially_settled', 'awaiting_confirmation', 'settled', 'break')),
  unique (batch_uid, order_hash)
);
create index on batch_order (workspace_uid, environment, uid desc);
alter table batch_order enable row level security, force row level security;
create policy visible on batch_order
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger keep before update on batch_order for each row execute function keep_batch_order();

-- A confirmation that contradicts another under the same reference is kept, with `is_refused`.
create table trade_confirmation (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  batch_uid text not null references order_batch,
  is_refused boolean not null default false,
  executing_broker text not null,
  source_system text not null,
  source_reference text not null,
  source_hash text not null,
  hash_grade text not null check (hash_grade in ('sha256', 'opaque')),
  content jsonb not null,
  content_hash text not null,
  times_seen integer not null default 1,
  last_seen_at timestamptz not null,
  confirmed_at timestamptz not null,
  recorded_by_uid text not null references person,
  recorded_at timestamptz not null
);
create unique index trade_confirmation_source
  on trade_confirmation (workspace_uid, environment, source_system, source_reference) where not is_refused;
create index on trade_confirmation (batch_uid);
create index trade_confirmation_document
  on trade_confirmation (workspace_uid, environment, source_hash);
alter table trade_confirmation enable row level security, force row level security;
create policy visible on trade_confirmation
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger keep before update on trade_confirmation
  for each row execute function keep_execution_evidence();

create table custody_observation (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  batch_uid text not null references order_batch,
  observation_reference text not null,
  custodian text not null,
  source_system text not null,
  source_reference text not null,
  source_hash text not null,
  hash_grade text not null check (hash_grade in ('sha256', 'opaque')),
  content jsonb not null,
  content_hash text not null,
  times_seen integer not null default 1,
  last_seen_at timestamptz not null,
  is_early boolean not null,
  reconciliation jsonb not null,
  recorded_by_uid text not null references application,
  recorded_at timestamptz not null,
  unique (workspace_uid, environment, custodian, observation_reference)
);
create index on custody_observation (batch_uid);
create index on custody_observation (workspace_uid, environment, uid desc);
create index custody_observation_source
  on custody_observation (workspace_uid, environment, source_reference);
alter table custody_observation enable row level security, force row level security;
create policy visible on custody_observation
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger keep before update on custody_observation
  for each row execute function keep_execution_evidence();

create table execution_exception (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  batch_uid text not null references order_batch,
  key text not null,
  fingerprint text not null,
  kind text not null,
  severity text not null check (severity in ('low', 'medium', 'high')),
  state text not null check (state in ('open', 'acknowledged', 'resolved', 'waived')),
  order_uid text references batch_order,
  observation_uid text references custody_observation,
  line_reference text,
  currency text,
  amount_minor bigint,
  explanation text not null,
  causes jsonb not null,
  opened_at timestamptz not null,
  acknowledged_by_uid text references person,
  acknowledged_at timestamptz,
  ended_by text check (ended_by in ('evidence', 'person')),
  ended_by_uid text references person,
  ended_at timestamptz,
  reason text,
  evidence_reference text,
  first_waiver_uid text references person,
  check ((state in ('resolved', 'waived')) = (ended_at is not null)),
  check ((ended_at is null) = (ended_by is null)),
  check ((ended_by is not distinct from 'person') = (ended_by_uid is not null)),
  check (state <> 'waived' or (first_waiver_uid is not null and ended_by_uid is not null
    and first_waiver_uid <> ended_by_uid))
);
create unique index execution_exception_live on execution_exception (batch_uid, key)
  where state in ('open', 'acknowledged');
create index on execution_exception (workspace_uid, environment, uid desc);
create index on execution_exception (batch_uid);
alter table execution_exception enable row level security, force row level security;
create policy visible on execution_exception
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger keep before update on execution_exception
  for each row execute function keep_execution_exception();
