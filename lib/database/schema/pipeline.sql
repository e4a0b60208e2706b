-- Runs with their sealed results, the queue's view of them, and the answers that repeated requests get again.

create table run (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  application_uid text not null references application,
  kind text not null,
  state text not null check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  progress real not null default 0 check (progress between 0 and 1),
  attempts integer not null default 0,
  model_key text not null,
  model_version text not null,
  input jsonb not null,
  input_hash text not null,
  dataset_revisions jsonb not null,
  request_id text not null,
  problem jsonb,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  summary jsonb, -- what lists show, next to the input so that a list need not read it
  check ((state = 'failed') = (problem is not null)),
  check ((state in ('succeeded', 'failed', 'cancelled')) = (finished_at is not null))
);
-- Behind its prefix a uid grows with time.
create index on run (workspace_uid, environment, right(uid, 26) desc);
create index on run (workspace_uid, environment, kind, right(uid, 26) desc);
-- Training and evaluation runs of a version of a numeric model.
create index run_lqm_version on run ((input ->> 'version_uid')) where kind like 'modeling.%';
alter table run enable row level security, force row level security;
create policy visible on run
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())));
create trigger summarised before insert on run for each row when (new.summary is null)
  execute function summarise_run();

create table run_result (
  run_uid text primary key references run,
  workspace_uid text not null,
  environment text not null,
  members json not null,
  result_hash text not null,
  seal json not null,
  attachments json not null
);
create index run_result_content on run_result (workspace_uid, environment, result_hash);
-- Digits hardly compress, and compressing half a megabyte of them takes longer than the computation.
alter table run_result alter column members set storage external, alter column attachments set storage external;
alter table run_result enable row level security, force row level security;
create policy visible on run_result
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())));
create trigger audited after insert on run_result for each row execute function audit_seal();
create trigger watched after insert on run_result for each row
  when (new.run_uid like 'fct\_%') execute function watch_forecast();

create table run_matrix (
  run_uid text primary key references run,
  workspace_uid text not null references workspace,
  environment text not null,
  content bytea not null check (octet_length(content) <= 16777216)
);
alter table run_matrix alter column content set storage external;
alter table run_matrix enable row level security, force row level security;
create policy visible on run_matrix
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- Runs that wait for the queue or are in it. `tag` is the turn of a run once its workspace is admitted; background
-- runs let all others of their workspace go first.
create table dispatch (
  run_uid text primary key references run,
  workspace_uid text not null,
  environment text not null,
  kind text not null,
  queue text not null,
  created_at timestamptz not null,
  tag integer,
  admitted_at timestamptz,
  started_at timestamptz,
  background boolean not null default false,
  input_bytes integer not null default 0
);
create index dispatch_lane on dispatch (queue, workspace_uid, run_uid);
create index dispatch_turn on dispatch (queue, tag) where tag is not null;
-- What the queued runs of a workspace take up.
create index dispatch_load on dispatch (workspace_uid, environment) include (input_bytes);
create index dispatch_waiting on dispatch (queue, workspace_uid, background, run_uid) where tag is null;
alter table dispatch enable row level security, force row level security;
-- Workers dispatch the runs of all workspaces, and `admit_runs` counts them as the owner.
create policy visible on dispatch
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker() or app_is_owner()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker() or app_is_owner()));

-- Parts of a run that is divided among workers. The table is unlogged, and its rows go with the row of `dispatch`,
-- however the run ends.
create unlogged table run_part (
  run_uid text not null references dispatch on delete cascade,
  workspace_uid text not null references workspace,
  environment text not null,
  first_sample integer not null,
  samples integer not null check (samples > 0),
  content bytea not null,
  primary key (run_uid, first_sample, samples)
);
alter table run_part alter column content set storage external;
alter table run_part enable row level security, force row level security;
create policy visible on run_part
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- The effect of a request: either the run that it started or the answer that it got.
create table idempotency_key (
  workspace_uid text not null references workspace,
  environment text not null,
  application_uid text not null references application,
  operation text not null,
  key text not null,
  fingerprint text not null,
  run_uid text references run,
  created_at timestamptz not null,
  answer text,
  expires_at timestamptz not null default now() + interval '24 hours',
  primary key (workspace_uid, environment, application_uid, operation, key)
);
alter table idempotency_key add constraint effect check ((run_uid is null) <> (answer is null)) not valid;
create index on idempotency_key (created_at);
create index on idempotency_key (expires_at);
alter table idempotency_key enable row level security, force row level security;
create policy visible on idempotency_key
  using (app_is_worker() or (workspace_uid = (select app_workspace()) and environment = (select app_environment())))
  with check (app_is_worker()
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())));
