-- Passkeys of persons (WebAuthn), the challenges that passkeys sign, and votes with the signature of a passkey.

-- The proof of persons that the console accepts in production: a passkey or a one-time code, or only a passkey.
alter table workspace add column proof text not null default 'any' check (proof in ('any', 'passkey'));

create table passkey (
  uid text primary key,
  workspace_uid text not null references workspace,
  person_uid text not null references person,
  credential_id text not null unique,
  cose_key text not null,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  state text not null check (state in ('registered', 'confirmed', 'removed')),
  registered_at timestamptz not null,
  confirmed_at timestamptz,
  confirmed_by_uid text references person,
  removed_at timestamptz,
  used_at timestamptz
);
create index on passkey (person_uid);
alter table passkey enable row level security, force row level security;
-- The person is not known yet when a passkey signs in: `app.key_id` shows that one row.
create policy visible on passkey
  using (((select app_is_operator()) and workspace_uid = coalesce((select app_workspace()), workspace_uid))
    or workspace_uid = (select app_workspace())
    or credential_id = nullif(current_setting('app.key_id', true), ''))
  with check (((select app_is_operator()) and workspace_uid = coalesce((select app_workspace()), workspace_uid))
    or workspace_uid = (select app_workspace()));

-- Only an operator confirms a passkey, for a second person. A passkey never changes its person or its key.
create function keep_passkey() returns trigger
  language plpgsql
as $$
      declare
        changes text[] := '{counter,state,confirmed_at,confirmed_by_uid,removed_at,used_at}';
      begin
        if tg_op = 'INSERT' then
          if new.state <> 'registered' or new.confirmed_at is not null or new.confirmed_by_uid is not null then
            raise exception 'a new passkey is not confirmed' using errcode = 'integrity_constraint_violation';
          end if;
          return new;
        end if;
        if to_jsonb(new) - changes is distinct from to_jsonb(old) - changes then
          raise exception 'a passkey never changes its key' using errcode = 'integrity_constraint_violation';
        end if;
        if (old.state, new.state) not in (('registered', 'registered'), ('confirmed', 'confirmed'), ('removed', 'removed'),
          ('registered', 'confirmed'), ('registered', 'removed'), ('confirmed', 'removed'))
        then
          raise exception 'a passkey does not go from % to %', old.state, new.state
            using errcode = 'integrity_constraint_violation';
        end if;
        if (new.confirmed_at, new.confirmed_by_uid) is distinct from (old.confirmed_at, old.confirmed_by_uid)
          and not (app_is_operator() and old.state = 'registered' and new.state = 'confirmed'
            and new.confirmed_by_uid <> new.person_uid)
        then
          raise exception 'a second person confirms a passkey' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
create trigger keep before insert or update on passkey for each row execute function keep_passkey();

-- A challenge is random or the hash of a statement. It can be signed once, within minutes.
create table passkey_challenge (
  challenge text primary key,
  purpose text not null check (purpose in ('register', 'sign_in', 'decide')),
  session_hash text,
  statement jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on passkey_challenge (expires_at);
alter table passkey_challenge enable row level security, force row level security;
create policy visible on passkey_challenge
  using ((select app_is_console() or app_is_worker()))
  with check ((select app_is_console()));

alter table console_session drop constraint console_session_proof_check;
alter table console_session add constraint console_session_proof_check check (proof in ('link', 'passkey')) not valid;

-- Finds the workspace of a passkey.
create function place_of_passkey(presented text)
  returns table (workspace_uid text)
  language plpgsql
as $$
      begin
        perform set_config('app.key_id', presented, true);
        return query select k.workspace_uid from passkey k where k.credential_id = presented;
        perform set_config('app.key_id', '', true);
      end $$;

-- Whether a passkey may sign for a person at a moment. In production, a second person must have confirmed it before.
create function passkey_signs(key_uid text, person text, public_key text, environment text, moment timestamptz)
  returns boolean
  language sql stable
as $$
  select exists (select from passkey k
    where k.uid = $1 and k.person_uid = $2 and k.public_key = $3 and (k.removed_at is null or k.removed_at > $5)
      and ($4 = 'sandbox' or k.confirmed_at <= $5))
$$;

-- The statement that a passkey signs names the delegation, its terms and the voter.
create function check_passkey_vote() returns trigger
  language plpgsql
as $$
      declare
        said jsonb := new.proof -> 'statement';
      begin
        if said ->> 'subject' is distinct from new.delegation_uid or said ->> 'terms_hash' is distinct from new.terms_hash
          or said ->> 'person' is distinct from new.person_uid or said ->> 'workspace' is distinct from new.workspace_uid
          or said ->> 'environment' is distinct from new.environment
          or not passkey_signs(new.proof ->> 'passkey_uid', new.person_uid, new.proof ->> 'public_key', new.environment,
            new.at)
        then
          raise exception 'the passkey did not sign this vote' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
create trigger signed before insert on delegation_approval
  for each row when (new.proof ->> 'kind' = 'passkey') execute function check_passkey_vote();

-- In production, a workspace can require passkeys.
create function check_required_passkey() returns trigger
  language plpgsql
as $$
      begin
        if exists (select from workspace w where w.uid = new.workspace_uid and w.proof = 'passkey') then
          raise exception 'the workspace requires a passkey' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
create trigger passkey_required before insert on delegation_approval
  for each row when (new.environment = 'production' and new.application_uid is null
    and coalesce(new.proof ->> 'kind', '') <> 'passkey')
  execute function check_required_passkey();
