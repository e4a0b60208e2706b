-- Workspaces that rest in this cell, because they are being moved to another cell or have been moved. A move that fails
-- deletes its row.
create table workspace_move (
  workspace_uid text primary key references workspace,
  state text not null check (state in ('moving', 'moved')),
  to_cell text not null,
  address text not null check (address ~ '^https?://[^/]+$'),
  -- SHA-256 of the manifest of the export.
  manifest_hash text check (manifest_hash ~ '^[0-9a-f]{64}$'),
  begun_by_uid text references person,
  begun_at timestamptz not null,
  moved_at timestamptz,
  check ((state = 'moved') = (moved_at is not null))
);
alter table workspace_move enable row level security, force row level security;
create policy visible on workspace_move
  using (workspace_uid = (select app_workspace()) or (select app_is_operator() or app_is_worker() or app_is_owner()))
  with check ((select app_is_operator()));

-- Nobody writes the records of a workspace that rests, whatever the process checked before. Workers do not even see its
-- runs and other work that they look up across workspaces, so they leave it alone. The policies restrict nothing as long
-- as no workspace rests, so processes of the previous version are not affected. Workers keep seeing the datasets of
-- a workspace that rests, because other workspaces may use them. The tables left out are written while
-- callers read, describe the use of this deployment, or have the one-time codes with which a move goes on.
do $$
  declare
    walled record;
    awake text := '(%s = any (array(select m.workspace_uid from workspace_move m))) is not true';
    condition text;
  begin
    for walled in
      select c.relname as name, c.relname = 'run' or c.relname <> 'dataset' and exists (
          select from pg_policies p
          where p.schemaname = 'public' and p.tablename = c.relname and p.qual like '%app_is_worker%'
        ) as is_looked_up
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_uid' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
        and c.relname not in ('workspace_move', 'credential_use', 'console_link', 'console_session', 'data_use',
          'person_code', 'storage_measurement', 'usage_bucket', 'usage_count', 'usage_day')
    loop
      condition := format(awake, 'workspace_uid');
      if walled.is_looked_up then
        execute format('create policy awake on %I as restrictive using ((select not app_is_worker()) or %s) with check (%s)',
          walled.name, condition, condition);
      else
        execute format('create policy awake_insert on %I as restrictive for insert with check (%s)',
          walled.name, condition);
        execute format('create policy awake_update on %I as restrictive for update using (true) with check (%s)',
          walled.name, condition);
      end if;
      execute format('create policy awake_delete on %I as restrictive for delete using (%s)', walled.name, condition);
    end loop;
    execute format('create policy awake_update on workspace as restrictive for update using (true) with check (%s)',
      format(awake, 'uid'));
  end $$;

-- Admits a request like `admit_request`, and tells whether the caller's workspace rests here.
create function admit_call(
  presented_kind text, presented_id text, presented_hash text, presented_environment text,
  needed_scope text, policies text[], quotas_of_class jsonb
) returns table (
  refusal text, credential_uid text, application_uid text, workspace_uid text, environment text,
  status text, service_class text, scopes text, granted text, entitlements text, allowed boolean,
  full_in text, move_state text, moved_to text
)
  language plpgsql
as $$
      #variable_conflict use_column
      begin
        select a.* into refusal, credential_uid, application_uid, workspace_uid, environment, status, service_class,
            scopes, granted, entitlements, allowed, full_in
          from admit_request(presented_kind, presented_id, presented_hash, presented_environment, needed_scope, policies,
            quotas_of_class) a;
        select m.state, m.address into move_state, moved_to
          from workspace_move m where m.workspace_uid = admit_call.workspace_uid;
        return next;
      end $$;
