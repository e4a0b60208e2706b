-- Terms of netting and collateral agreements, as they were supplied.

create table netting_set (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  version integer not null default 1,
  name text not null,
  counterparty_id integer not null references counterparty,
  terms jsonb not null,
  terms_hash text not null,
  source_reference text not null,
  source_hash text not null,
  hash_grade text not null check (hash_grade in ('sha256', 'opaque')),
  conflicts_open integer not null default 0 check (conflicts_open >= 0),
  times_seen integer not null default 1,
  last_seen_at timestamptz not null,
  created_by_uid text not null references application,
  created_at timestamptz not null,
  supersedes_uid text references netting_set,
  superseded_at timestamptz
);
create unique index netting_set_source on netting_set (workspace_uid, environment, source_reference)
  where superseded_at is null;
create unique index netting_set_name on netting_set (workspace_uid, environment, lower(name))
  where superseded_at is null;
create index on netting_set (workspace_uid, environment, uid desc);
alter table netting_set enable row level security, force row level security;
create policy visible on netting_set
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
