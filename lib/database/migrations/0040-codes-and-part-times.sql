-- One-time codes that a person sets up in an own session count in production after a second person confirmed them, as a
-- passkey does. The codes that exist are confirmed.

alter table person_code add column state text not null default 'confirmed' check (state in ('registered', 'confirmed'));
alter table person_code alter column state set default 'registered';
-- The person who issued the sign-in link that led to the session in which the codes were set up.
alter table person_code add column link_issued_by_uid text references person;
alter table person_code add column confirmed_at timestamptz;
alter table person_code add column confirmed_by_uid text references person;

-- The console sets up codes, and never confirms them. An operator confirms codes for a second person, who could not have
-- opened a session in place of their person. The first codes of a workspace have nobody who could confirm them. From then on
-- the workspace keeps confirmed codes, so that it never again has first codes.
create function check_person_code() returns trigger
  language plpgsql
as $$
      begin
        if new.state = 'registered' then
          if new.confirmed_at is not null or new.confirmed_by_uid is not null then
            raise exception 'codes that nobody confirmed name no confirmation'
              using errcode = 'integrity_constraint_violation';
          end if;
          if tg_op = 'UPDATE' and old.state = 'confirmed' and not exists (select from person_code c
            where c.workspace_uid = old.workspace_uid and c.state = 'confirmed' and c.person_uid <> old.person_uid)
          then
            raise exception 'a workspace keeps its last confirmed codes' using errcode = 'integrity_constraint_violation';
          end if;
          return new;
        end if;
        if app_is_console() and (tg_op = 'INSERT' or old.state <> 'confirmed' or new.sealed_secret <> old.sealed_secret) then
          raise exception 'the console confirms no codes' using errcode = 'integrity_constraint_violation';
        end if;
        if tg_op = 'UPDATE' and old.state = 'confirmed' and new.confirmed_by_uid is not distinct from old.confirmed_by_uid then
          return new;
        end if;
        if new.confirmed_by_uid is null then
          if exists (select from person_code c
            where c.workspace_uid = new.workspace_uid and c.state = 'confirmed' and c.person_uid <> new.person_uid)
          then
            raise exception 'a second person confirms codes' using errcode = 'integrity_constraint_violation';
          end if;
        elsif new.confirmed_by_uid in (new.person_uid, new.link_issued_by_uid) or exists (select from person_identity i
          where i.person_uid = new.person_uid and i.linked_by_uid = new.confirmed_by_uid)
        then
          raise exception 'a person who can sign in as the person confirms no codes'
            using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
create trigger confirmation before insert or update on person_code
  for each row execute function check_person_code();

-- The active persons of workspaces with approved access to production, and how many of them have codes for production.
create function persons_in_production() returns table (persons integer, enrolled integer)
  language sql stable security definer
  set search_path = public, pg_temp
as $$
  select count(*)::integer, count(c.person_uid)::integer
  from person p left join person_code c on c.person_uid = p.uid and c.state = 'confirmed'
  where session_user = current_database() || '_worker' and p.state = 'active'
    and exists (select from production_access a where a.workspace_uid = p.workspace_uid and a.state = 'approved')
$$;

-- When a part of a run was queued, and when which worker computed it. Null for a part that an earlier release stored.
alter table run_part add column queued_at timestamptz, add column started_at timestamptz, add column ended_at timestamptz,
  add column worker text;
