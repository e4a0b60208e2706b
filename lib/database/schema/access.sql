-- Workspaces, the persons and applications that act in them, their credentials, and the parties that they deal
-- with.

create table workspace (
  uid text primary key,
  name text not null,
  service_class text not null check (service_class in ('developer', 'standard', 'enterprise')),
  entitlements text[] not null,
  created_at timestamptz not null,
  region text not null default 'local',
  time_zone text not null default 'UTC',
  financial_actions text not null default 'active' check (financial_actions in ('active', 'frozen')),
  frozen_by_uid text
);

create table person (
  uid text primary key,
  workspace_uid text not null references workspace,
  name text not null,
  email text not null,
  roles text[] not null,
  created_at timestamptz not null,
  state text not null default 'active' check (state in ('active', 'suspended', 'departed')),
  unique (workspace_uid, email)
);

-- Workspaces and persons refer to each other. The reference is deferrable, so that a restore loads workspaces first.
alter table workspace add foreign key (frozen_by_uid) references person deferrable;

alter table workspace enable row level security, force row level security;
create policy visible on workspace
  using (uid = (select app_workspace()) or (select app_is_operator() or app_is_owner()))
  with check ((select app_is_operator()) or uid = app_workspace());
alter table person enable row level security, force row level security;
create policy visible on person
  using ((select app_is_operator()) or workspace_uid = (select app_workspace()))
  with check ((select app_is_operator()) or workspace_uid = (select app_workspace()));

-- The secret of a person's one-time codes. `last_step` makes each code valid once. Wrong codes lock a person's codes
-- for a while.
create table person_code (
  person_uid text primary key references person,
  workspace_uid text not null references workspace,
  sealed_secret text not null,
  last_step bigint not null default 0,
  enrolled_at timestamptz not null,
  wrong_at text[] not null default '{}' check (cardinality(wrong_at) <= 5),
  locked_until timestamptz
);
alter table person_code enable row level security, force row level security;
create policy visible on person_code
  using ((select app_is_operator()) and workspace_uid = coalesce((select app_workspace()), workspace_uid))
  with check ((select app_is_operator()) and workspace_uid = coalesce((select app_workspace()), workspace_uid));

create table application (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  name text not null,
  scopes text[] not null,
  status text not null check (status in ('active', 'suspended', 'revoked')),
  owner_uid text not null references person,
  created_at timestamptz not null,
  accountable_uid text references person,
  unique (workspace_uid, environment, name)
);
alter table application enable row level security, force row level security;
create policy visible on application
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())));

create table credential (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  application_uid text not null references application,
  key_id text not null unique,
  secret_hash text not null,
  issued_by_uid text not null references person,
  created_at timestamptz not null,
  revoked_at timestamptz,
  name text,
  expires_at timestamptz
);
create index on credential (application_uid);
alter table credential enable row level security, force row level security;
-- The caller is not known yet when its credential is looked up: `app.key_id` shows that one row.
create policy visible on credential
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or key_id = nullif(current_setting('app.key_id', true), ''))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or key_id = nullif(current_setting('app.key_id', true), ''));

-- One row per API key or token: when and from where it was last used.
create table credential_use (
  credential_uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  last_used_at timestamptz not null,
  address text not null,
  user_agent text
);
alter table credential_use enable row level security, force row level security;
create policy visible on credential_use
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())));

create table oauth_client (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  application_uid text not null references application,
  secret_hash text not null,
  secret_version integer not null default 1,
  issued_by_uid text not null references person,
  created_at timestamptz not null,
  rotated_at timestamptz,
  rotated_by_uid text references person,
  revoked_at timestamptz,
  check ((rotated_at is null) = (rotated_by_uid is null))
);
create index on oauth_client (application_uid);
alter table oauth_client enable row level security, force row level security;
create policy visible on oauth_client
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or uid = nullif(current_setting('app.key_id', true), ''))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or uid = nullif(current_setting('app.key_id', true), ''));

-- A token is valid only while its client's secret is the one that it was issued for.
create table access_token (
  token_hash text primary key,
  uid text not null unique,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  client_uid text not null references oauth_client,
  secret_version integer not null,
  scopes text[] not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index on access_token (client_uid);
create index on access_token (expires_at);
alter table access_token enable row level security, force row level security;
create policy visible on access_token
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or app_is_worker()
    or token_hash = nullif(current_setting('app.key_id', true), ''))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or app_is_worker()
    or token_hash = nullif(current_setting('app.key_id', true), ''));

create table production_access (
  application_uid text primary key references application,
  workspace_uid text not null references workspace,
  environment text not null check (environment = 'production'),
  state text not null check (state in ('requested', 'approved', 'revoked')),
  requested_by_uid text not null references person,
  requested_at timestamptz not null,
  approved_by_uid text references person,
  approved_at timestamptz,
  revoked_by_uid text references person,
  revoked_at timestamptz,
  check (approved_by_uid is distinct from requested_by_uid),
  check (state <> 'approved' or (approved_by_uid is not null and approved_at is not null))
);
alter table production_access enable row level security, force row level security;
create policy visible on production_access
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())));

create table counterparty (
  id integer generated always as identity primary key,
  workspace_uid text not null references workspace,
  kind text not null check (kind in ('counterparty', 'custodian')),
  key text,
  name text not null,
  state text not null default 'active' check (state in ('active', 'archived')),
  created_at timestamptz not null,
  unique (workspace_uid, kind, name)
);
alter table counterparty enable row level security, force row level security;
create policy visible on counterparty
  using (workspace_uid = (select app_workspace()) or (select app_is_operator()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator()));

create table company (
  id integer generated always as identity primary key,
  workspace_uid text not null references workspace,
  name text not null,
  created_at timestamptz not null,
  unique (workspace_uid, name)
);
alter table company enable row level security, force row level security;
create policy visible on company
  using (workspace_uid = (select app_workspace()) or (select app_is_operator()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator()));
