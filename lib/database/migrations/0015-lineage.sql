-- What a run refers to: the revisions of datasets that it reads, as `dataset:<id>@<revision>`, and the uids in its input.
-- Lineage reads this table in both directions.
create table run_reference (
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  uid text not null collate "C",
  run_uid text not null collate "C" references run,
  primary key (workspace_uid, environment, uid, run_uid)
);
create index on run_reference (run_uid);

create function references_of_run(input jsonb, dataset_revisions jsonb) returns setof text
  language sql immutable parallel safe
as $$
  select 'dataset:' || key || '@' || value from jsonb_each_text(dataset_revisions) where key ~ '^[0-9]+$'
  union
  select value #>> '{}' from jsonb_path_query(input,
    'lax $.* ? (@.type() == "string" && @ like_regex "^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$")') value
  union
  select value #>> '{}' from jsonb_path_query(input,
    'lax $.*.* ? (@.type() == "string" && @ like_regex "^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$")') value
$$;

-- Row-level security also applies to the owner, so the runs are read as each tenant.
do $$
declare tenant record;
begin
  for tenant in select w.uid, environment from workspace w, unnest(array['sandbox', 'production']) environment loop
    perform set_config('app.workspace', tenant.uid, true), set_config('app.environment', tenant.environment, true);
    insert into run_reference (workspace_uid, environment, uid, run_uid)
      select r.workspace_uid, r.environment, referred, r.uid
      from run r, references_of_run(r.input, r.dataset_revisions) referred;
  end loop;
  perform set_config('app.workspace', '', true), set_config('app.environment', '', true);
end $$;

alter table run_reference enable row level security, force row level security;
create policy visible on run_reference
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create function note_run_references() returns trigger
  language plpgsql
as $$
begin
  insert into run_reference (workspace_uid, environment, uid, run_uid)
    select new.workspace_uid, new.environment, referred, new.uid
    from references_of_run(new.input, new.dataset_revisions) referred;
  return null;
end $$;
create trigger referred after insert on run for each row execute function note_run_references();

-- Exports of lineage. The content is forgotten when an export expires.
create table lineage_export (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  subject_type text not null,
  subject_uid text not null,
  direction text not null check (direction in ('upstream', 'downstream', 'both')),
  depth integer not null check (depth between 1 and 10),
  granularity text not null check (granularity in ('dataset', 'column')),
  format text not null check (format in ('openlineage-2-0-2', 'prov-json')),
  pin_versions boolean not null,
  nodes integer not null check (nodes >= 0),
  edges integer not null check (edges >= 0),
  truncated boolean not null,
  has_columns boolean not null,
  gaps jsonb not null,
  state_hash text not null,
  content text,
  content_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index on lineage_export (workspace_uid, environment, uid desc);
create index on lineage_export (expires_at) where content is not null;
alter table lineage_export enable row level security, force row level security;
-- Workers delete the contents of expired exports of all workspaces.
create policy visible on lineage_export
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));
