-- The counts of processes for the meters that no other record measures: requests and processor time. A row is the total
-- of one process in one hour (UTC), and only grows, so a process may write it any number of times.
create table usage_count (
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  meter text not null,
  hour timestamptz not null,
  -- Identifies one start of a process.
  process text not null,
  value numeric not null check (value >= 0),
  counted_at timestamptz not null,
  primary key (workspace_uid, environment, meter, hour, process)
);
alter table usage_count enable row level security, force row level security;
create policy visible on usage_count
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_owner()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_owner()));

-- The time from which a meter is counted. Its usage before that time is unknown, not zero.
create table meter_start (
  meter text primary key,
  started_at timestamptz not null
);
insert into meter_start values ('api.requests', now()), ('compute.cpu_seconds', now());
alter table meter_start enable row level security, force row level security;
create policy visible on meter_start using (true) with check (true);

-- Writes the totals of a process for any number of tenants in one statement. A total never decreases, so a repeated
-- write changes nothing.
create function note_usage(process text, counts jsonb) returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
  insert into usage_count as u (workspace_uid, environment, meter, hour, process, value, counted_at)
    select each.workspace, each.environment, each.meter, each.hour, note_usage.process, each.value, now()
    from jsonb_to_recordset(counts)
      as each (workspace text, environment text, meter text, hour timestamptz, value numeric)
    order by 1, 2, 3, 4
  on conflict (workspace_uid, environment, meter, hour, process) do update
    set value = excluded.value, counted_at = excluded.counted_at
    where excluded.value > u.value
$$;

-- The measured size of the rows of an environment. `change` is the difference from the previous measurement, so the sum
-- of the changes up to a time is the size at that time.
create table storage_measurement (
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  measured_at timestamptz not null,
  bytes bigint not null check (bytes >= 0),
  change bigint not null,
  -- The bytes by table, of the tables that have rows.
  tables jsonb not null,
  primary key (workspace_uid, environment, measured_at)
);
alter table storage_measurement enable row level security, force row level security;
create policy visible on storage_measurement
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on storage_measurement
  for each statement execute function audit_refuse_change();
