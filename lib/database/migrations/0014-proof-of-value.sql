-- Proofs of value: terms that are fixed before a window, and the verdict that is sealed after its end.
create table proof_of_value (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  workflow_key text not null,
  terms jsonb not null,
  terms_hash text not null check (terms_hash ~ '^[0-9a-f]{64}$'),
  window_from timestamptz not null,
  window_to timestamptz not null,
  state text not null
    check (state in ('collecting', 'met', 'not_met', 'insufficient_evidence', 'withdrawn')),
  created_by_uid text not null references application,
  created_at timestamptz not null,
  outcome jsonb,
  seal jsonb,
  verdict_at timestamptz,
  withdrawn_at timestamptz,
  withdrawn_by_uid text references person,
  check (window_from < window_to),
  check ((state in ('met', 'not_met', 'insufficient_evidence')) = (verdict_at is not null)),
  check ((verdict_at is null) = (outcome is null) and (verdict_at is null) = (seal is null)),
  check (verdict_at is null or verdict_at >= window_to),
  check ((state = 'withdrawn') = (withdrawn_at is not null)),
  check ((withdrawn_at is null) = (withdrawn_by_uid is null))
);
create unique index proof_of_value_active on proof_of_value (workspace_uid, environment, workflow_key)
  where state = 'collecting';
create index on proof_of_value (workspace_uid, environment, uid desc);
create index on proof_of_value (window_to) where state = 'collecting';
-- Workers have to find due proofs in all workspaces.
alter table proof_of_value enable row level security, force row level security;
create policy visible on proof_of_value
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

-- The ended runs of a workflow in a window.
create index on workflow_run (workspace_uid, environment, workflow_key, ended_at) where ended_at is not null;
