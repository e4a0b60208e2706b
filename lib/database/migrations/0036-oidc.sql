-- Identities of persons at an identity provider (OpenID Connect), and the sign-ins that persons began there.

create table person_identity (
  uid text primary key,
  workspace_uid text not null references workspace,
  person_uid text not null references person,
  issuer text not null,
  subject text not null,
  state text not null check (state in ('linked', 'confirmed', 'removed')),
  linked_at timestamptz not null,
  linked_by_uid text not null references person,
  confirmed_at timestamptz,
  confirmed_by_uid text references person,
  removed_at timestamptz,
  used_at timestamptz
);
create index on person_identity (person_uid);
-- An identity signs in one person, in one workspace.
create unique index person_identity_in_use on person_identity (issuer, subject) where state <> 'removed';
alter table person_identity enable row level security, force row level security;
-- The person is not known yet when an identity signs in: `app.key_id` shows the rows of that identity.
create policy visible on person_identity
  using (((select app_is_operator()) and workspace_uid = coalesce((select app_workspace()), workspace_uid))
    or workspace_uid = (select app_workspace())
    or issuer || ' ' || subject = nullif(current_setting('app.key_id', true), ''))
  with check (((select app_is_operator()) and workspace_uid = coalesce((select app_workspace()), workspace_uid))
    or workspace_uid = (select app_workspace()));

-- Only operators link, confirm and remove an identity. Two persons link it, and the person concerned does not confirm it.
create function keep_person_identity() returns trigger
  language plpgsql
as $$
      declare
        changes text[] := '{state,confirmed_at,confirmed_by_uid,removed_at,used_at}';
      begin
        if tg_op = 'INSERT' then
          if new.state <> 'linked' or new.confirmed_at is not null or new.confirmed_by_uid is not null then
            raise exception 'a new identity is not confirmed' using errcode = 'integrity_constraint_violation';
          end if;
          if not exists (select from person p where p.uid = new.person_uid and p.workspace_uid = new.workspace_uid) then
            raise exception 'the person is not of the workspace' using errcode = 'integrity_constraint_violation';
          end if;
          return new;
        end if;
        if to_jsonb(new) - changes is distinct from to_jsonb(old) - changes then
          raise exception 'an identity never changes its person' using errcode = 'integrity_constraint_violation';
        end if;
        if (old.state, new.state) not in (('linked', 'linked'), ('confirmed', 'confirmed'), ('removed', 'removed'),
          ('linked', 'confirmed'), ('linked', 'removed'), ('confirmed', 'removed'))
        then
          raise exception 'an identity does not go from % to %', old.state, new.state
            using errcode = 'integrity_constraint_violation';
        end if;
        if (new.confirmed_at, new.confirmed_by_uid) is distinct from (old.confirmed_at, old.confirmed_by_uid)
          and not (old.state = 'linked' and new.state = 'confirmed' and new.confirmed_by_uid <> new.person_uid
            and new.confirmed_by_uid <> new.linked_by_uid)
        then
          raise exception 'a second person confirms an identity' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
create trigger keep before insert or update on person_identity
  for each row execute function keep_person_identity();

-- A sign-in at the identity provider that a browser began. It ends once, within minutes. A refused one records the
-- identity, so that an operator can link it.
create table oidc_flow (
  flow_hash text primary key,
  session_environment text not null check (session_environment in ('sandbox', 'production')),
  page text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  refused_as text,
  issuer text,
  subject text
);
create index on oidc_flow (expires_at);
create index on oidc_flow (used_at) where refused_as is not null;
alter table oidc_flow enable row level security, force row level security;
create policy visible on oidc_flow
  using ((select app_is_console() or app_is_worker() or app_is_operator()))
  with check ((select app_is_console()));

alter table console_session drop constraint console_session_proof_check;
alter table console_session add constraint console_session_proof_check
  check (proof in ('link', 'passkey', 'oidc')) not valid;

-- Finds the workspace of an identity that is in use.
create function place_of_identity(presented_issuer text, presented_subject text)
  returns table (workspace_uid text)
  language plpgsql
as $$
      begin
        perform set_config('app.key_id', presented_issuer || ' ' || presented_subject, true);
        return query select i.workspace_uid from person_identity i
          where i.issuer = presented_issuer and i.subject = presented_subject and i.state <> 'removed';
        perform set_config('app.key_id', '', true);
      end $$;
