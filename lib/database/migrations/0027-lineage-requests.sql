-- The values of features that a run has pinned. Lineage follows features to the runs that read them.
create table run_feature_reference (
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  feature_version_id integer not null references feature_version,
  -- The last revision of the values that the run may read.
  revision integer not null,
  run_uid text not null collate "C" references run,
  primary key (workspace_uid, environment, feature_version_id, revision, run_uid)
);
create index on run_feature_reference (run_uid);

-- Row-level security also applies to the owner, so the runs are read as each tenant.
do $$
declare tenant record;
begin
  for tenant in select w.uid, environment from workspace w, unnest(array['sandbox', 'production']) environment loop
    perform set_config('app.workspace', tenant.uid, true), set_config('app.environment', tenant.environment, true);
    insert into run_feature_reference (workspace_uid, environment, feature_version_id, revision, run_uid)
      select r.workspace_uid, r.environment, v.id, pinned.value::integer, r.uid
      from run r, jsonb_each_text(r.dataset_revisions) pinned, feature_version v
      where r.dataset_revisions::text like '%feature_version:%' and pinned.key = 'feature_version:' || v.id
        and r.workspace_uid = tenant.uid and r.environment = tenant.environment;
  end loop;
  perform set_config('app.workspace', '', true), set_config('app.environment', '', true);
end $$;

alter table run_feature_reference enable row level security, force row level security;
create policy visible on run_feature_reference
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create function note_feature_references() returns trigger
  language plpgsql
as $$
begin
  insert into run_feature_reference (workspace_uid, environment, feature_version_id, revision, run_uid)
    select new.workspace_uid, new.environment, split_part(pinned.key, ':', 2)::integer, pinned.value::integer, new.uid
    from jsonb_each_text(new.dataset_revisions) pinned where pinned.key ~ '^feature_version:[0-9]+$';
  return null;
end $$;
create trigger features_referred after insert on run for each row
  when (new.dataset_revisions::text like '%feature_version:%') execute function note_feature_references();

-- The last revision of the values when the materialisation ended. Null: not recorded by an earlier release.
alter table feature_materialisation add column values_revision integer;
create index on feature_version (dataset_id);

-- An export that is not built within its request waits for a worker, which builds it with the scopes of the request.
alter table lineage_export
  add column state text not null default 'ready' check (state in ('queued', 'running', 'ready', 'failed')),
  -- Identifies the request together with the scopes of its caller.
  add column request_hash text,
  -- The scopes of the caller; null for an export that was built within its request.
  add column scopes text[],
  add column attempts integer not null default 0,
  add column started_at timestamptz,
  -- Why the export failed.
  add column problem_code text,
  alter column nodes drop not null,
  alter column edges drop not null,
  alter column truncated drop not null,
  alter column has_columns drop not null,
  alter column gaps drop not null,
  alter column state_hash drop not null,
  alter column content_hash drop not null;
create index lineage_export_open on lineage_export (uid) where state in ('queued', 'running');
create index lineage_export_request on lineage_export (workspace_uid, environment, request_hash)
  where state in ('queued', 'running');
