-- Runs that persons submit in the console. They count for the console's own application, which has no credentials.

alter table application add column built_in boolean not null default false;
create index application_built_in on application (workspace_uid, environment) where built_in;

-- The console's own application never gets a credential, so a run that it submitted was submitted by a person.
create function refuse_built_in_credential() returns trigger
  language plpgsql
as $$
      begin
        if exists (select from application a where a.uid = new.application_uid and a.built_in) then
          raise exception 'a built-in application has no credentials' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
create trigger refuse_built_in before insert or update of application_uid on credential
  for each row execute function refuse_built_in_credential();
create trigger refuse_built_in before insert or update of application_uid on oauth_client
  for each row execute function refuse_built_in_credential();

-- Returns the console's own application in the current workspace and environment. Creates it on the first call. The
-- person is an active person of the workspace and becomes the owner. It is the only application that the console can
-- create.
create function console_application(new_uid text, for_person text, moment timestamptz) returns text
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      declare
        found_uid text;
      begin
        if session_user <> current_database() || '_console' then
          raise insufficient_privilege using message = 'only the console submits runs for its own application';
        end if;
        select a.uid into found_uid from application a
          where a.workspace_uid = app_workspace() and a.environment = app_environment() and a.built_in;
        if found_uid is not null then
          return found_uid;
        end if;
        -- Of two first runs at the same time, the later one finds the application of the earlier one.
        perform pg_advisory_xact_lock(hashtextextended('console ' || app_workspace() || ' ' || app_environment(), 0));
        select a.uid into found_uid from application a
          where a.workspace_uid = app_workspace() and a.environment = app_environment() and a.built_in;
        if found_uid is not null then
          return found_uid;
        end if;
        if not exists (
          select from person p where p.uid = for_person and p.workspace_uid = app_workspace() and p.state = 'active')
        then
          raise exception 'the person is not an active person of the workspace'
            using errcode = 'integrity_constraint_violation';
        end if;
        insert into application (uid, workspace_uid, environment, name, scopes, status, owner_uid, created_at, built_in)
          values (new_uid, app_workspace(), app_environment(), 'Console ' || new_uid, '{}', 'active', for_person, moment,
            true);
        return new_uid;
      end $$;
revoke execute on function console_application from public;
