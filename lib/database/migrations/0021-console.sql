-- Sessions of persons in the browser console. Links and sessions are stored as hashes of their secrets.

create table console_link (
  link_hash text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  person_uid text not null references person,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on console_link (expires_at);
alter table console_link enable row level security, force row level security;
-- The person is not known yet when a link or session is looked up: `app.key_id` shows that one row.
create policy visible on console_link
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or link_hash = nullif(current_setting('app.key_id', true), ''))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())));

create table console_session (
  session_hash text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  person_uid text not null references person,
  proof text not null check (proof in ('link')),
  opened_at timestamptz not null,
  seen_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz
);
create index on console_session (person_uid);
create index on console_session (ends_at);
alter table console_session enable row level security, force row level security;
create policy visible on console_session
  using ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or session_hash = nullif(current_setting('app.key_id', true), ''))
  with check ((select app_is_operator())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment())));

-- Finds an open session with its person, and sets the transaction to its tenant. A session ends at a fixed time, after a
-- period without requests, when it is closed, and while its person is not active.
create function identify_console_session(presented_hash text, moment timestamptz, idle interval)
  returns table (
    person_uid text, person_name text, roles text[], workspace_uid text, workspace_name text, environment text,
    service_class text, entitlements text[], proof text, ends_at timestamptz
  )
  language plpgsql
as $$
      declare found_session console_session;
      begin
        perform set_config('app.key_id', presented_hash, true);
        select * into found_session from console_session s where s.session_hash = presented_hash;
        perform set_config('app.key_id', '', true);
        if found_session.session_hash is null or found_session.ended_at is not null
          or found_session.ends_at <= moment or found_session.seen_at + idle <= moment then
          return;
        end if;
        perform set_config('app.workspace', found_session.workspace_uid, true);
        perform set_config('app.environment', found_session.environment, true);
        if found_session.seen_at < moment - interval '1 minute' then
          update console_session s set seen_at = moment where s.session_hash = presented_hash;
        end if;
        return query
          select p.uid, p.name, p.roles, w.uid, w.name, found_session.environment, w.service_class, w.entitlements,
                 found_session.proof, found_session.ends_at
          from person p join workspace w on w.uid = p.workspace_uid
          where p.uid = found_session.person_uid and p.state = 'active';
      end $$;

-- Finds the place of a sign-in link.
create function place_of_console_link(presented_hash text)
  returns table (workspace_uid text, environment text)
  language plpgsql
as $$
      begin
        perform set_config('app.key_id', presented_hash, true);
        return query select l.workspace_uid, l.environment from console_link l where l.link_hash = presented_hash;
        perform set_config('app.key_id', '', true);
      end $$;
