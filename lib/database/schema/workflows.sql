-- Workflows with their versions, the decisions about starting them, their runs, schedules and files, and what they
-- cost.

create table workflow_version (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  key text not null,
  version integer not null check (version > 0),
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  definition jsonb not null,
  state text not null check (state in ('proposed', 'published', 'superseded', 'withdrawn')),
  proposed_by_uid text not null references person,
  published_by_uid text references person,
  created_at timestamptz not null,
  published_at timestamptz,
  ended_at timestamptz,
  unique (workspace_uid, environment, key, version),
  unique (uid, digest),
  check ((published_by_uid is null) = (published_at is null)),
  check (state not in ('published', 'superseded') or published_by_uid is not null),
  check (published_by_uid is distinct from proposed_by_uid)
);
create unique index workflow_published on workflow_version (workspace_uid, environment, key)
  where state = 'published';
alter table workflow_version enable row level security, force row level security;
create policy visible on workflow_version
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table workflow_admission (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  at timestamptz not null,
  expires_at timestamptz not null,
  version_uid text not null,
  workflow_key text not null,
  workflow_version integer not null,
  digest text not null,
  application_uid text not null references application,
  trigger text not null check (trigger in ('manual', 'schedule')),
  requested_by jsonb not null,
  decision text not null
    check (decision in ('admitted', 'denied', 'admitted_with_conditions', 'not_evaluated_denied')),
  conditions jsonb not null,
  refusals jsonb not null,
  policy_decision_uid text,
  policy_set_hash text,
  inputs_hash text not null,
  evaluated_ms double precision not null check (evaluated_ms >= 0),
  decision_hash text not null,
  foreign key (version_uid, digest) references workflow_version (uid, digest),
  check (decision <> 'admitted' or jsonb_array_length(conditions) = 0),
  check (decision in ('denied', 'not_evaluated_denied') or policy_decision_uid is not null)
);
create index on workflow_admission (workspace_uid, environment, uid desc);
alter table workflow_admission enable row level security, force row level security;
create policy visible on workflow_admission
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table workflow_run (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  admission_uid text not null unique references workflow_admission,
  version_uid text not null references workflow_version,
  workflow_key text not null,
  application_uid text not null references application,
  requested_by_uid text not null references person,
  parameters jsonb not null,
  inputs_hash text not null,
  state text not null check (state in
    ('queued', 'running', 'waiting_approval', 'succeeded', 'failed', 'cancelled', 'timed_out')),
  error_code text,
  outputs_hash text,
  created_at timestamptz not null,
  deadline_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  check ((state in ('succeeded', 'failed', 'cancelled', 'timed_out')) = (ended_at is not null)),
  check ((state = 'succeeded') = (outputs_hash is not null))
);
create index on workflow_run (workspace_uid, environment, uid desc);
alter table workflow_run enable row level security, force row level security;
create policy visible on workflow_run
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger consumed before insert on workflow_run for each row execute function consume_workflow_admission();

create table workflow_step (
  run_uid text collate "C" not null references workflow_run,
  position integer not null check (position >= 0),
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  key text not null,
  state text not null check (state in
    ('pending', 'running', 'waiting_approval', 'succeeded', 'failed', 'cancelled')),
  attempts integer not null default 0 check (attempts >= 0),
  not_before timestamptz,
  job_uid text references run,
  output jsonb,
  output_hash text,
  error_code text,
  decided_by_uid text references person,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (run_uid, position),
  unique (run_uid, key),
  check ((state in ('succeeded', 'failed', 'cancelled')) = (ended_at is not null))
);
alter table workflow_step enable row level security, force row level security;
create policy visible on workflow_step
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- Runs of the pipeline that steps submitted.
create table workflow_step_run (
  job_uid text primary key references run,
  run_uid text collate "C" not null references workflow_run,
  step_key text not null,
  attempt integer not null check (attempt > 0),
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  unique (run_uid, step_key, attempt)
);
alter table workflow_step_run enable row level security, force row level security;
create policy visible on workflow_step_run
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- Workflow runs that a worker has to look at again. The table holds no customer data: workers see all rows.
create table workflow_watch (
  run_uid text primary key references workflow_run,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  look_at timestamptz not null
);
create index on workflow_watch (look_at);
alter table workflow_watch enable row level security, force row level security;
create policy visible on workflow_watch
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

-- Workers have to find due schedules in all workspaces.
create table workflow_schedule (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  workflow_key text not null,
  application_uid text not null references application,
  parameters jsonb not null,
  every_seconds integer check (every_seconds between 60 and 31622400),
  cron text,
  time_zone text not null,
  state text not null check (state in ('active', 'suspended', 'removed')),
  set_by_uid text not null references person,
  set_at timestamptz not null,
  due_at timestamptz not null,
  look_at timestamptz not null,
  last_due_at timestamptz,
  last_outcome text check (last_outcome in ('started', 'denied', 'still_open')),
  last_missed integer not null default 0 check (last_missed >= 0),
  last_admission_uid text references workflow_admission,
  last_run_uid text references workflow_run,
  check ((every_seconds is null) <> (cron is null))
);
create index on workflow_schedule (look_at) where state = 'active';
alter table workflow_schedule enable row level security, force row level security;
create policy visible on workflow_schedule
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

create table workflow_file (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  feed text,
  name text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes > 0),
  kept_by_uid text not null references person,
  kept_at timestamptz not null,
  removed_at timestamptz check (removed_at >= kept_at)
);
create index on workflow_file (workspace_uid, environment, feed, uid desc);
alter table workflow_file enable row level security, force row level security;
create policy visible on workflow_file
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table workflow_file_chunk (
  file_uid text collate "C" not null references workflow_file,
  position integer not null check (position >= 0),
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  content bytea not null,
  primary key (file_uid, position)
);
alter table workflow_file_chunk enable row level security, force row level security;
create policy visible on workflow_file_chunk
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table workflow_rate (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  currency text not null,
  compute_second_micro bigint not null check (compute_second_micro >= 0),
  set_by_uid text not null references person,
  since timestamptz not null
);
create index on workflow_rate (workspace_uid, environment, since desc);
alter table workflow_rate enable row level security, force row level security;
create policy visible on workflow_rate
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- One row per run of the pipeline, however often its end is reported. A step without such a run is metered by its
-- key.
create table workflow_meter (
  job_uid text unique references workflow_step_run,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  run_uid text collate "C" not null references workflow_run,
  workflow_key text not null,
  metered_at timestamptz not null,
  compute_ms bigint not null check (compute_ms >= 0),
  rate_uid text references workflow_rate,
  currency text,
  cost_micro bigint check (cost_micro >= 0),
  step_key text,
  unique (run_uid, step_key),
  check ((rate_uid is null) = (cost_micro is null) and (rate_uid is null) = (currency is null)),
  check ((job_uid is null) = (step_key is not null))
);
create index on workflow_meter (workspace_uid, environment, metered_at);
create index on workflow_meter (run_uid);
alter table workflow_meter enable row level security, force row level security;
create policy visible on workflow_meter
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- A share of a budget is crossed once a month, however often the crossing is noticed.
create table workflow_budget_crossing (
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  month date not null,
  scope text not null,
  threshold_pct integer not null,
  budget_minor bigint not null,
  currency text not null,
  cost_basis text not null,
  crossed_at timestamptz not null,
  primary key (workspace_uid, environment, month, scope, threshold_pct, budget_minor, currency, cost_basis)
);
alter table workflow_budget_crossing enable row level security, force row level security;
create policy visible on workflow_budget_crossing
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table finops_policy (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  version integer not null check (version > 0),
  body jsonb not null,
  policy_hash text not null,
  updated_at timestamptz not null,
  updated_by_uid text not null references application,
  unique (workspace_uid, environment, version)
);
alter table finops_policy enable row level security, force row level security;
create policy visible on finops_policy
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
