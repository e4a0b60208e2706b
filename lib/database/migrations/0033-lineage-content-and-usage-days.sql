-- The content of an export of lineage is compressed before it is stored. Exports of earlier releases keep their text.
alter table lineage_export add column content_gzip bytea;
alter table lineage_export alter column content_gzip set storage external;
create index on lineage_export (expires_at) where content_gzip is not null;

-- The counts of a day and meter as one row, which replaces the counts by hour and process. It keeps the number of these
-- counts and the hash of their list, so that the usage of the day can still be recounted.
create table usage_day (
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  meter text not null,
  day date not null,
  value numeric not null check (value >= 0),
  records integer not null check (records >= 1),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  folded_at timestamptz not null,
  primary key (workspace_uid, environment, meter, day)
);
alter table usage_day enable row level security, force row level security;
create policy visible on usage_day
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on usage_day
  for each statement execute function audit_refuse_change();
