-- Decisions of persons in the browser console. A vote in the console has no application, but a proof of the person.

-- The proof with which the person confirmed the vote, such as a one-time code. Null for a vote that an application or an
-- operator submitted.
alter table delegation_approval add column proof jsonb;

-- Whether the caller is the login role of the console.
create function app_is_console() returns boolean
  language sql stable parallel safe
as $$ select current_user = current_database() || '_console' $$;

-- The console verifies one-time codes of the persons of its workspace, and counts wrong ones.
alter policy visible on person_code
  using (((select app_is_operator()) and workspace_uid = coalesce((select app_workspace()), workspace_uid))
    or ((select app_is_console()) and workspace_uid = (select app_workspace())))
  with check (((select app_is_operator()) and workspace_uid = coalesce((select app_workspace()), workspace_uid))
    or ((select app_is_console()) and workspace_uid = (select app_workspace())));

-- A worker deletes old links and sessions of every tenant.
alter policy visible on console_link
  using ((select app_is_operator() or app_is_worker())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or link_hash = nullif(current_setting('app.key_id', true), ''));
alter policy visible on console_session
  using ((select app_is_operator() or app_is_worker())
    or (workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or session_hash = nullif(current_setting('app.key_id', true), ''));

-- A vote must be independent of the draft, in turn, and supported by an authority in force.
create function check_vote() returns trigger
  language plpgsql
as $$
      declare
        d delegation;
        wanted jsonb;
        moment timestamptz := greatest(new.at, now());
      begin
        select * into d from delegation where uid = new.delegation_uid;
        select place into wanted from jsonb_array_elements(d.nodes) place where (place ->> 'position')::integer = new.node;
        if d.state not in ('draft', 'suspended') or d.terms_hash <> new.terms_hash or wanted is null then
          raise exception 'no vote can be cast for this' using errcode = 'integrity_constraint_violation';
        end if;
        if new.application_uid = d.created_by_uid or new.person_uid = any(d.creator_persons) then
          raise exception 'who drafted a delegation does not approve it' using errcode = 'integrity_constraint_violation';
        end if;
        if exists (select from jsonb_array_elements(d.nodes) place
          where (place ->> 'position')::integer < new.node and (place ->> 'quorum')::integer > (
            select count(*) from delegation_approval a where a.delegation_uid = d.uid and a.state = 'counted'
              and a.node = (place ->> 'position')::integer))
        then
          raise exception 'an earlier node is not met' using errcode = 'integrity_constraint_violation';
        end if;
        if new.application_uid is null and not (d.state = 'suspended' and app_is_operator()) and not app_is_console() then
          raise exception 'a vote is carried by an application' using errcode = 'integrity_constraint_violation';
        end if;
        -- In production, an open session alone proves nothing: the person confirms the vote.
        if app_is_console() and (new.application_uid is not null or new.proof is null
          or new.environment = 'production' and new.proof ->> 'kind' = 'session')
        then
          raise exception 'a vote in the console needs a proof of the person'
            using errcode = 'integrity_constraint_violation';
        end if;
        if app_is_console() and new.person_uid = any(persons_behind(d.created_by_uid, moment)) then
          raise exception 'who drafted a delegation does not approve it' using errcode = 'integrity_constraint_violation';
        end if;
        if new.application_uid is not null and not exists (select from governed_record b where b.uid = new.binding_uid
          and b.kind = 'binding' and b.state = 'active' and (b.body ->> 'valid_until')::timestamptz > moment
          and b.body ->> 'application_uid' = new.application_uid and b.body ->> 'person_uid' = new.person_uid
          and not (d.creator_persons || persons_behind(d.created_by_uid, moment))
            && (persons_behind(new.application_uid, moment) || coalesce(b.submitted_by_uid, '')))
        then
          raise exception 'the application does not speak for the person, or not independently'
            using errcode = 'integrity_constraint_violation';
        end if;
        if not exists (select from person p where p.uid = new.person_uid and p.state = 'active')
          or not (wanted -> 'users' @> to_jsonb(new.person_uid) or wanted -> 'roles' @> to_jsonb(new.role)
            and role_ends(new.workspace_uid, new.environment, new.person_uid, new.role) > moment)
        then
          raise exception 'the person has no place at the node' using errcode = 'integrity_constraint_violation';
        end if;
        if not exists (select from governed_record a where a.uid = new.authority_uid and a.kind = 'authority'
          and a.state = 'active' and (a.version, a.body_hash) = (new.authority_version, new.authority_hash)
          and (a.workspace_uid, a.environment) = (new.workspace_uid, new.environment)
          and authority_ends(a.workspace_uid, a.environment, a.key, new.person_uid, d.terms, moment) > moment)
        then
          raise exception 'the person has no such authority' using errcode = 'integrity_constraint_violation';
        end if;
        if d.terms ->> 'risk_tier' = 'T2' and new.application_uid is not null and not exists (
          select from approval_intent i where i.uid = new.intent_uid and i.terms_hash = d.terms_hash
            and (i.delegation_uid, i.person_uid, i.application_uid, i.node)
              = (d.uid, new.person_uid, new.application_uid, new.node) and i.expires_at > moment)
        then
          raise exception 'the person did not declare to approve it' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
create or replace trigger checked before insert on delegation_approval
  for each row execute function check_vote();

-- Only a person ends a dispute or a record of an obligation: on the command line, or in the console.
create function keep_obligation_terms() returns trigger
  language plpgsql
as $$
      declare
        changes text[] := '{governance_state,conflicts_open,times_seen,last_seen_at}';
      begin
        if to_jsonb(new) - changes is distinct from to_jsonb(old) - changes then
          raise exception 'an obligation never changes' using errcode = 'integrity_constraint_violation';
        end if;
        if new.governance_state <> old.governance_state and (old.governance_state, new.governance_state) not in (
          ('registered', 'disputed'), ('disputed', 'registered'), ('disputed', 'superseded'),
          ('registered', 'withdrawn'), ('disputed', 'withdrawn')
        ) then
          raise exception 'an obligation does not go from % to %', old.governance_state, new.governance_state
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.governance_state not in (old.governance_state, 'disputed')
          and not (app_is_operator() or app_is_console())
        then
          raise exception 'only an operator ends a dispute or a record' using errcode = 'insufficient_privilege';
        end if;
        return new;
      end $$;
create or replace trigger keep before update on obligation
  for each row execute function keep_obligation_terms();
