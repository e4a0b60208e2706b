-- Batches of forecasts, and the scores of sealed forecasts once their actual values are known.

create table forecast_batch (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  application_uid text not null references application,
  request_id text not null,
  reason text,
  options jsonb not null,
  items integer not null check (items between 1 and 5000),
  created_at timestamptz not null,
  cancelled_at timestamptz
);
create index on forecast_batch (workspace_uid, environment, uid desc);
alter table forecast_batch enable row level security, force row level security;
create policy visible on forecast_batch
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- An item that cannot be forecast has a problem in place of a run.
create table forecast_batch_item (
  batch_uid text collate "C" not null references forecast_batch,
  position integer not null check (position >= 0),
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  metric text not null,
  company_id integer,
  horizon integer not null,
  run_uid text references run,
  problem jsonb,
  primary key (batch_uid, position),
  check ((run_uid is null) = (problem is not null))
);
create unique index on forecast_batch_item (run_uid);
alter table forecast_batch_item enable row level security, force row level security;
create policy visible on forecast_batch_item
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table forecast_score (
  run_uid text primary key references run,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  score jsonb not null,
  scored_at timestamptz not null
);
alter table forecast_score enable row level security, force row level security;
create policy visible on forecast_score
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- Sealed forecasts whose actual values are not known yet.
create table forecast_watch (
  run_uid text primary key references run,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  look_at timestamptz not null
);
create index on forecast_watch (look_at);
alter table forecast_watch enable row level security, force row level security;
create policy visible on forecast_watch
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));
