-- Question models (QLM): their versions, the version that serves, suites of cases, sealed answers, and the texts of
-- questions. The API answers questions. It writes no version, no serving entry and no suite.

create table qlm_model (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  key text not null,
  name text not null,
  created_by_uid text not null references person,
  created_at timestamptz not null,
  unique (workspace_uid, environment, key)
);
create index on qlm_model (workspace_uid, environment, uid desc);
alter table qlm_model enable row level security, force row level security;
create policy visible on qlm_model
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table qlm_suite (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  key text not null,
  content_hash text not null,
  cases json not null,
  case_count integer not null check (case_count between 1 and 2000),
  imported_by_uid text not null references person,
  imported_at timestamptz not null,
  unique (workspace_uid, environment, key, content_hash)
);
create index on qlm_suite (workspace_uid, environment, uid desc);
alter table qlm_suite enable row level security, force row level security;
create policy visible on qlm_suite
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on qlm_suite
  for each statement execute function audit_refuse_change();

-- The profile of a version never changes. `evaluation_uid` is the evaluation on which the approval is based.
create table qlm_version (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  model_uid text not null references qlm_model,
  version integer not null check (version > 0),
  change_kind text not null check (change_kind in ('create', 'profile', 'rebind')),
  profile jsonb not null,
  content_hash text not null,
  author_uid text not null references person,
  created_at timestamptz not null,
  evaluation_uid text references run,
  approved_by_uid text references person,
  approved_at timestamptz,
  retired_by_uid text references person,
  retired_at timestamptz,
  retired_reason text,
  unique (model_uid, version),
  check ((approved_at is null) = (approved_by_uid is null) and (approved_at is null) = (evaluation_uid is null)),
  check ((retired_at is null) = (retired_by_uid is null)),
  check (approved_by_uid is distinct from author_uid or approved_by_uid is null)
);
create index on qlm_version (workspace_uid, environment, uid desc);
alter table qlm_version enable row level security, force row level security;
create policy visible on qlm_version
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- Which version of a model serves, and whether it is suspended. The newest row counts. A null version serves nothing.
create table qlm_serving (
  id bigint generated always as identity primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  model_uid text not null references qlm_model,
  version_uid text references qlm_version,
  state text not null check (state in ('serving', 'suspended', 'resume_requested', 'retired')),
  reason text,
  set_by_uid text not null references person,
  since timestamptz not null
);
create index on qlm_serving (model_uid, id desc);
alter table qlm_serving enable row level security, force row level security;
create policy visible on qlm_serving
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on qlm_serving
  for each statement execute function audit_refuse_change();

-- Sealed answers. `members` are the members that the seal covers. They do not contain the text of the question.
create table qlm_answer (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  model_uid text not null references qlm_model,
  version_uid text not null references qlm_version,
  application_uid text not null references application,
  outcome text not null check (outcome in ('answered', 'clarification', 'refused')),
  asked_at timestamptz not null,
  after_uid text collate "C" references qlm_answer,
  members json not null,
  result_hash text not null,
  seal json not null
);
create index on qlm_answer (workspace_uid, environment, model_uid, uid desc);
alter table qlm_answer enable row level security, force row level security;
create policy visible on qlm_answer
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on qlm_answer
  for each statement execute function audit_refuse_change();

-- The text of a question, which only the application that asked it may read, until `keep_until`.
create table qlm_question (
  answer_uid text collate "C" primary key references qlm_answer,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  application_uid text not null references application,
  question text not null,
  keep_until timestamptz not null
);
create index on qlm_question (keep_until);
alter table qlm_question enable row level security, force row level security;
-- Workers delete the questions of all workspaces whose time is over.
create policy visible on qlm_question
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

-- Evaluation runs of a version of a question model.
create index run_qlm_version on run ((input ->> 'version_uid')) where kind = 'modeling.qlm-evaluations';

with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_qlm_evaluation_v1', '1.0.0', 'approved',
    'Scores of a question model on a suite of cases: outcomes, facts, false answers, with exact intervals.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_qlm_evaluation_v1', 'active', '1.0.0', 'assay:model-risk', now());
