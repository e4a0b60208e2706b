-- Records that two persons bring into force, policy decisions, and conflicts between pieces of evidence.

-- The body of a version never changes; only its state does.
create table governed_record (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  kind text not null,
  key text not null,
  version integer not null check (version >= 1),
  name text not null,
  state text not null check (state in ('draft', 'submitted', 'active', 'suspended', 'ended', 'withdrawn')),
  body jsonb not null,
  body_hash text not null,
  drafted_by_uid text references person,
  submitted_by_uid text references person,
  submitted_at timestamptz,
  approved_by_uid text references person,
  created_at timestamptz not null,
  active_at timestamptz,
  ended_by_uid text references person,
  ended_at timestamptz,
  end_reason text,
  unique (workspace_uid, environment, kind, key, version),
  -- Records that a workspace starts with were drafted by nobody.
  check (state in ('draft', 'submitted', 'withdrawn') or drafted_by_uid is null or (
    submitted_by_uid is not null and approved_by_uid is not null
    and approved_by_uid <> submitted_by_uid and approved_by_uid <> drafted_by_uid
  )),
  check ((state in ('ended', 'withdrawn')) = (ended_at is not null))
);
create unique index governed_record_in_force on governed_record (workspace_uid, environment, kind, key)
  where state in ('active', 'suspended');
create index on governed_record (workspace_uid, environment, kind, uid desc);
alter table governed_record enable row level security, force row level security;
create policy visible on governed_record
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger keep before update on governed_record for each row execute function keep_governed_record();

-- The policies that decided, by hash: enough to repeat a decision.
create table policy_set (
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  policies jsonb not null,
  created_at timestamptz not null,
  primary key (workspace_uid, environment, hash)
);
alter table policy_set enable row level security, force row level security;
create policy visible on policy_set
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on policy_set
  for each statement execute function audit_refuse_change();

create table policy_decision (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  at timestamptz not null,
  subject_type text not null,
  subject_uid text not null,
  effect text not null check (effect in ('deny', 'require_approval', 'allow')),
  policy_set_hash text not null,
  input jsonb not null,
  input_hash text not null,
  explanation jsonb not null check (explanation ->> 'effect' = effect),
  shadow_set_hash text,
  shadow jsonb,
  check ((shadow is null) = (shadow_set_hash is null)),
  foreign key (workspace_uid, environment, policy_set_hash) references policy_set,
  foreign key (workspace_uid, environment, shadow_set_hash) references policy_set
);
create index on policy_decision (workspace_uid, environment, uid desc);
create index on policy_decision (workspace_uid, environment, subject_uid, uid desc);
alter table policy_decision enable row level security, force row level security;
create policy visible on policy_decision
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on policy_decision
  for each statement execute function audit_refuse_change();

create table evidence_conflict (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  subject_type text not null,
  subject_uid text not null,
  kind text not null
    check (kind in ('content_mismatch', 'hash_mismatch', 'counterparty_mismatch', 'currency_mismatch')),
  offered_source_hash text not null,
  offered_hash_grade text not null check (offered_hash_grade in ('sha256', 'opaque')),
  offered_payload_hash text not null,
  offered_content jsonb not null,
  differing text[] not null,
  state text not null default 'open' check (state in ('open', 'resolved_keep', 'resolved_supersede')),
  times_offered integer not null default 1,
  offered_at timestamptz not null,
  offered_by_uid text not null references application,
  resolved_by_uid text references person,
  resolved_at timestamptz,
  reason text,
  check ((state = 'open') = (resolved_by_uid is null)),
  unique (subject_uid, offered_source_hash, offered_payload_hash)
);
alter table evidence_conflict add constraint evidence_conflict_subject_type_check
  check (subject_type in ('obligation', 'netting_set', 'custody_observation')) not valid;
create index on evidence_conflict (workspace_uid, environment, uid desc);
alter table evidence_conflict enable row level security, force row level security;
create policy visible on evidence_conflict
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
