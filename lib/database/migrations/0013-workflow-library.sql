-- Library items that two persons of the operator offer, and states that differ from those of the shipped items.
create table workflow_library_item (
  uid text collate "C" primary key,
  key text not null,
  version integer not null check (version > 0),
  origin text not null check (origin in ('shipped', 'offered')),
  category text not null,
  publisher text not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  definition jsonb not null,
  state text not null check (state in ('proposed', 'published', 'deprecated', 'withdrawn')),
  offered_in_uid text not null references workspace,
  offered_by_uid text not null references person,
  approved_by_uid text references person,
  offered_at timestamptz not null,
  published_at timestamptz,
  deprecated_at timestamptz,
  withdrawn_at timestamptz,
  unique (key, version),
  check ((published_at is null) = (approved_by_uid is null and origin = 'offered')),
  check (state not in ('published', 'deprecated') or published_at is not null),
  check (origin = 'shipped' or approved_by_uid is distinct from offered_by_uid)
);
create index on workflow_library_item (offered_in_uid, uid desc);
alter table workflow_library_item enable row level security, force row level security;
-- A proposal is visible to operators only. Everything that was ever published is visible to every workspace.
create policy visible on workflow_library_item
  using (published_at is not null or (select app_is_operator()))
  with check ((select app_is_operator()));

-- Installations pin the digest and the content of a library item. An installation grants nothing and runs nothing.
create table workflow_installation (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  key text not null,
  version integer not null check (version > 0),
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  definition jsonb not null,
  parameters jsonb not null,
  parameters_hash text not null check (parameters_hash ~ '^[0-9a-f]{64}$'),
  replaces_uid text unique references workflow_installation,
  installed_by_uid text not null references application,
  created_at timestamptz not null,
  superseded_at timestamptz,
  removed_at timestamptz,
  removed_by_uid text references person,
  check ((removed_at is null) = (removed_by_uid is null)),
  check (superseded_at is null or removed_at is null)
);
create unique index workflow_installed on workflow_installation (workspace_uid, environment, key)
  where superseded_at is null and removed_at is null;
create index on workflow_installation (workspace_uid, environment, uid desc);
alter table workflow_installation enable row level security, force row level security;
create policy visible on workflow_installation
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- A version that was proposed from an installation.
alter table workflow_version add column installation_uid text references workflow_installation;
create index on workflow_version (installation_uid) where installation_uid is not null;

-- The filters of the list of runs.
create index on workflow_run (workspace_uid, environment, workflow_key, uid desc);
create index on workflow_run (version_uid, uid desc);
