-- The restores of backups that were tried, each with its outcome. The posture reads the newest one.
create table restore_trial (
  id bigint generated always as identity primary key,
  -- A rehearsal restores into a database of its own, which it deletes afterwards.
  kind text not null check (kind in ('restore', 'rehearsal')),
  succeeded boolean not null,
  -- The reason of a failure.
  code text,
  -- SHA-256 of the manifest, which states the hash of every member of the backup.
  backup_hash text check (backup_hash ~ '^[0-9a-f]{64}$'),
  backup_made_at timestamptz,
  tables integer check (tables >= 0),
  rows bigint check (rows >= 0),
  tried_at timestamptz not null,
  check (succeeded = (code is null)),
  check (not succeeded or (backup_hash is not null and tables is not null and rows is not null))
);
alter table restore_trial enable row level security, force row level security;
create policy visible on restore_trial using (true) with check (true);
create trigger append_only before update or delete or truncate on restore_trial
  for each statement execute function audit_refuse_change();

-- The usage of a closed day (UTC). A row never changes: later records are counted as late.
create table usage_bucket (
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  meter text not null,
  day date not null,
  -- Null if the records of the day have values in several currencies.
  value numeric,
  records integer not null check (records >= 0),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  currency text check (currency ~ '^[A-Z]{3}$'),
  closed_at timestamptz not null,
  primary key (workspace_uid, environment, meter, day)
);
alter table usage_bucket enable row level security, force row level security;
create policy visible on usage_bucket
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on usage_bucket
  for each statement execute function audit_refuse_change();

-- Functions of the owner read across workspaces. They return only counts and places, and only to workers.
create policy of_owner on application for select using ((select app_is_owner()));
create policy of_owner on production_access for select using ((select app_is_owner()));
create policy of_owner on person for select using ((select app_is_owner()));
create policy of_owner on person_code for select using ((select app_is_owner()));

-- The environments that have an application.
create function application_places() returns table (workspace_uid text, environment text)
  language sql stable security definer
  set search_path = public, pg_temp
as $$
  select distinct a.workspace_uid, a.environment from application a
  where session_user = current_database() || '_worker'
$$;

-- The active persons of workspaces with approved access to production, and how many of them have one-time codes.
create function production_persons() returns table (persons integer, enrolled integer)
  language sql stable security definer
  set search_path = public, pg_temp
as $$
  select count(*)::integer, count(c.person_uid)::integer
  from person p left join person_code c on c.person_uid = p.uid
  where session_user = current_database() || '_worker' and p.state = 'active'
    and exists (select from production_access a where a.workspace_uid = p.workspace_uid and a.state = 'approved')
$$;

-- What a sealed answer of a question model refers to: the revisions of datasets that it may read, and the records and
-- runs behind its facts. Lineage reads this table as it reads `run_reference`.
create table answer_reference (
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  uid text not null collate "C",
  answer_uid text not null collate "C" references qlm_answer,
  primary key (workspace_uid, environment, uid, answer_uid)
);
create index on answer_reference (answer_uid);

create function references_of_answer(members jsonb) returns setof text
  language sql immutable parallel safe
as $$
  select 'dataset:' || key || '@' || value from jsonb_each_text(members -> 'input_data' -> 'dataset_revisions')
    where key ~ '^[0-9]+$'
  union
  select value #>> '{}' from jsonb_path_query(members,
    'lax $.facts[*].source.keyvalue() ? (@.key == "run_uid" || @.key == "record_uid").value
      ? (@.type() == "string" && @ like_regex "^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$")') value
$$;

do $$
declare tenant record;
begin
  for tenant in select w.uid, environment from workspace w, unnest(array['sandbox', 'production']) environment loop
    perform set_config('app.workspace', tenant.uid, true), set_config('app.environment', tenant.environment, true);
    insert into answer_reference (workspace_uid, environment, uid, answer_uid)
      select a.workspace_uid, a.environment, referred, a.uid
      from qlm_answer a, references_of_answer(a.members::jsonb) referred;
  end loop;
  perform set_config('app.workspace', '', true), set_config('app.environment', '', true);
end $$;

alter table answer_reference enable row level security, force row level security;
create policy visible on answer_reference
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create function note_answer_references() returns trigger
  language plpgsql
as $$
begin
  insert into answer_reference (workspace_uid, environment, uid, answer_uid)
    select new.workspace_uid, new.environment, referred, new.uid
    from references_of_answer(new.members::jsonb) referred;
  return null;
end $$;
create trigger referred after insert on qlm_answer for each row execute function note_answer_references();
