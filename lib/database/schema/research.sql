-- Features with their values, and research projects with versioned definitions.

create table feature (
  uid text primary key,
  workspace_uid text not null references workspace,
  key text not null,
  entity_type text not null check (entity_type in ('instrument', 'company', 'workspace')),
  description text not null,
  owner_uid text not null references person,
  status text not null check (status in ('active', 'retired')),
  created_at timestamptz not null,
  unique (workspace_uid, key)
);
alter table feature enable row level security, force row level security;
create policy visible on feature
  using (workspace_uid = (select app_workspace()) or (select app_is_operator()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator()));

create table feature_version (
  id integer generated always as identity primary key,
  uid text not null unique,
  feature_uid text not null references feature,
  workspace_uid text not null references workspace,
  version integer not null,
  unit text not null,
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly', 'quarterly', 'yearly')),
  dataset_id integer not null references dataset,
  expression text not null,
  max_age_days integer not null check (max_age_days > 0),
  created_by_uid text not null references person,
  created_at timestamptz not null,
  unique (feature_uid, version)
);
alter table feature_version enable row level security, force row level security;
create policy visible on feature_version
  using (workspace_uid = (select app_workspace()) or (select app_is_operator()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator()));

-- There is no foreign key to the version: no role may delete one, and the check costs as much as the write. A late
-- observation changes a past value by a row of a later revision.
--
-- The table has no partitions: each value is found by one look into the primary key, backwards from a moment,
-- which took half as long again with partitions.
create table feature_value (
  feature_version_id integer not null,
  entity text not null collate "C",
  event_time timestamptz not null,
  known_at timestamptz not null,
  revision integer not null,
  withdrawn boolean not null default false,
  value double precision,
  primary key (feature_version_id, entity, event_time, known_at, revision) include (value, withdrawn),
  check (withdrawn = (value is null))
);
-- The last revision of a version is what a run pins. This finds it in one look among millions of values.
create index feature_value_revision on feature_value (feature_version_id, revision);
create index on feature_value (feature_version_id, revision);
alter table feature_value enable row level security, force row level security;
create policy visible on feature_value
  using ((select app_is_operator()) or feature_version_id in (select v.id from feature_version v))
  with check ((select app_is_operator()) or feature_version_id in (select v.id from feature_version v));

-- A version is materialised periodically once it has a plan here.
create table feature_materialisation (
  uid text collate "C" primary key,
  feature_version_id integer not null references feature_version,
  workspace_uid text not null references workspace,
  mode text not null check (mode in ('incremental', 'full')),
  state text not null check (state in ('planned', 'running', 'succeeded', 'failed')),
  dataset_revision integer not null,
  told_until timestamptz not null,
  entities_total integer not null default 0,
  entities_done integer not null default 0,
  rows_written bigint not null default 0,
  problem text,
  started_at timestamptz not null,
  beat_at timestamptz not null,
  finished_at timestamptz,
  values_held bigint,
  entities_held integer,
  first_event timestamptz,
  last_event timestamptz,
  check ((state in ('planned', 'running')) = (finished_at is null)),
  check ((state = 'failed') = (problem is not null))
);
create unique index on feature_materialisation (feature_version_id) where state = 'running';
create index on feature_materialisation (feature_version_id, uid desc);
alter table feature_materialisation enable row level security, force row level security;
create policy visible on feature_materialisation
  using (workspace_uid = (select app_workspace()) or (select app_is_operator() or app_is_worker()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator() or app_is_worker()));

create table research_project (
  id integer generated always as identity primary key,
  uid text not null unique,
  workspace_uid text not null references workspace,
  name text not null,
  created_by_uid text not null references person,
  created_at timestamptz not null,
  unique (workspace_uid, name)
);
create index on research_project (workspace_uid, uid desc);
alter table research_project enable row level security, force row level security;
create policy visible on research_project
  using (workspace_uid = (select app_workspace()) or (select app_is_operator()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator()));

create table project_version (
  uid text primary key,
  project_id integer not null references research_project,
  workspace_uid text not null references workspace,
  version integer not null check (version > 0),
  definition jsonb not null,
  definition_sha256 text not null,
  created_by_uid text not null references person,
  created_at timestamptz not null,
  unique (project_id, version)
);
alter table project_version enable row level security, force row level security;
create policy visible on project_version
  using (workspace_uid = (select app_workspace()) or (select app_is_operator()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator()));
