-- Sealed snapshots of what the financial actions of a workspace amount to.

create table value_snapshot (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  as_of timestamptz not null,
  content json not null,
  snapshot_hash text not null check (snapshot_hash ~ '^[0-9a-f]{64}$')
);
create index on value_snapshot (workspace_uid, environment, uid desc);
alter table value_snapshot enable row level security, force row level security;
create policy visible on value_snapshot
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on value_snapshot
  for each statement execute function audit_refuse_change();
