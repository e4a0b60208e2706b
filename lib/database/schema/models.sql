-- The registry of built-in models, and the numeric models that workspaces train, with their drift.

create table model_version (
  key text not null,
  version text not null,
  state text not null check (state in ('draft', 'trained', 'evaluated', 'approved', 'retired')),
  description text not null,
  authored_by text not null,
  approved_by text,
  approved_at timestamptz,
  created_at timestamptz not null,
  primary key (key, version),
  check (state <> 'approved' or (approved_by is not null and approved_at is not null)),
  check (approved_by is distinct from authored_by)
);
alter table model_version enable row level security, force row level security;
create policy visible on model_version using (true) with check (true);

-- The newest row of an alias counts; a null version takes the alias away.
create table model_alias (
  id bigint generated always as identity primary key,
  workspace_uid text references workspace,
  key text not null,
  alias text not null,
  version text,
  set_by text not null,
  since timestamptz not null,
  foreign key (key, version) references model_version
);
create index on model_alias (key, alias, workspace_uid, id desc);
alter table model_alias enable row level security, force row level security;
create policy visible on model_alias
  using ((select app_is_operator()) or workspace_uid is null or workspace_uid = (select app_workspace()))
  with check ((select app_is_operator()) or workspace_uid is null or workspace_uid = (select app_workspace()));

create table lqm_model (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null,
  key text not null,
  name text not null,
  family text not null,
  created_by_uid text not null references person,
  created_at timestamptz not null,
  unique (workspace_uid, environment, key)
);
alter table lqm_model add constraint lqm_model_family_check
  check (family in ('regime_ghmm', 'ridge', 'var', 'gbt', 'ensemble')) not valid;
create index on lqm_model (workspace_uid, environment, uid desc);
alter table lqm_model enable row level security, force row level security;
create policy visible on lqm_model
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table lqm_version (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null,
  model_uid text not null references lqm_model,
  version integer not null check (version > 0),
  definition jsonb not null,
  content_hash text not null,
  author_uid text not null references person,
  created_at timestamptz not null,
  evaluation_uid text references run,
  checkpoint_hash text,
  approved_by_uid text references person,
  approved_at timestamptz,
  retired_by_uid text references person,
  retired_at timestamptz,
  retired_reason text,
  unique (model_uid, version),
  check ((approved_at is null) = (approved_by_uid is null) and (approved_at is null) = (evaluation_uid is null)
    and (approved_at is null) = (checkpoint_hash is null)),
  check ((retired_at is null) = (retired_by_uid is null)),
  check (approved_by_uid is distinct from author_uid)
);
alter table lqm_version enable row level security, force row level security;
create policy visible on lqm_version
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- Which version serves a purpose. The newest row counts.
create table lqm_serving (
  id bigint generated always as identity primary key,
  workspace_uid text not null references workspace,
  environment text not null,
  purpose text not null,
  version_uid text references lqm_version,
  set_by_uid text not null references person,
  since timestamptz not null,
  model_uid text references lqm_model
);
alter table lqm_serving
  add constraint lqm_serving_purpose_check check (purpose in ('generative', 'prediction')) not valid,
  add constraint lqm_serving_model_check check ((purpose = 'prediction') = (model_uid is not null)) not valid;
create index on lqm_serving (workspace_uid, environment, purpose, id desc);
alter table lqm_serving enable row level security, force row level security;
create policy visible on lqm_serving
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table drift_metric (
  assessment_uid text not null references run,
  position integer not null,
  workspace_uid text not null references workspace,
  environment text not null,
  model_uid text not null references lqm_model,
  dataset_id integer not null references dataset,
  column_name text,
  name text not null,
  value float8,
  p_value float8,
  adjusted_p float8,
  threshold float8,
  state text not null check (state in ('drift', 'no_drift', 'evidence', 'unavailable')),
  n_reference integer not null,
  n_current integer not null,
  seal_hash text not null,
  recorded_at timestamptz not null,
  primary key (assessment_uid, position),
  check ((value is null) = (state = 'unavailable'))
);
create index on drift_metric (workspace_uid, environment, model_uid, name, recorded_at desc);
alter table drift_metric enable row level security, force row level security;
create policy visible on drift_metric
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table retraining_request (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null,
  model_uid text not null references lqm_model,
  version_uid text not null references lqm_version,
  checkpoint_hash text not null,
  dataset_id integer not null references dataset,
  dataset_revision integer not null,
  assessment_uid text not null references run,
  seal_hash text not null,
  author_uid text not null references person,
  requester_uid text not null references person,
  requested_at timestamptz not null,
  state text not null check (state in ('pending_review', 'approved', 'rejected')),
  reviewed_by_uid text references person,
  reviewed_at timestamptz,
  reason text,
  trained_version_uid text references lqm_version,
  training_uid text references run,
  check ((state = 'pending_review') = (reviewed_by_uid is null)),
  check ((reviewed_by_uid is null) = (reviewed_at is null) and (reviewed_by_uid is null) = (reason is null)),
  check (reviewed_by_uid is distinct from author_uid or reviewed_by_uid is null),
  check (reviewed_by_uid is distinct from requester_uid or reviewed_by_uid is null)
);
alter table retraining_request add constraint retraining_request_training_check
  check ((trained_version_uid is null) = (training_uid is null)
    and (training_uid is null or state = 'approved')) not valid;
create unique index retraining_request_open on retraining_request (model_uid, checkpoint_hash, dataset_id)
  where state = 'pending_review';
create index on retraining_request (workspace_uid, environment, uid desc);
alter table retraining_request enable row level security, force row level security;
create policy visible on retraining_request
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
