-- The wording of summaries by a language model.

-- Whether a workspace has sections of its summary worded by a model, and by which. The newest row counts.
create table summary_wording_choice (
  id bigint generated always as identity primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  connection_uid text references ai_connection,
  model text,
  set_by_uid text not null references person,
  set_at timestamptz not null,
  check ((connection_uid is null) = (model is null))
);
create index on summary_wording_choice (workspace_uid, environment, id desc);
alter table summary_wording_choice enable row level security, force row level security;
create policy visible on summary_wording_choice
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

create table summary_wording (
  section text not null,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  facts_hash text not null,
  claimed_until timestamptz not null,
  text text,
  connection_uid text not null references ai_connection,
  model text not null,
  written_at timestamptz,
  primary key (workspace_uid, environment, section),
  check ((text is null) = (written_at is null))
);
alter table summary_wording enable row level security, force row level security;
create policy visible on summary_wording
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
