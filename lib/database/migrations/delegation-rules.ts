/** How a delegation begins, what of it may change, and what it takes to be in force. */
export const delegationRules = `
      -- Who stands behind an application: who owns it, answers for it, issued or rotated its credentials, and whom it
      -- speaks for.
      create function persons_behind(of_application text, moment timestamptz) returns text[] stable language sql as $$
        select array(
          select unnest(array[a.owner_uid, coalesce(a.accountable_uid, a.owner_uid)])
            from application a where a.uid = of_application
          union select issued_by_uid from credential where application_uid = of_application and revoked_at is null
          union select unnest(array[issued_by_uid, coalesce(rotated_by_uid, issued_by_uid)])
            from oauth_client where application_uid = of_application and revoked_at is null
          union select b.body ->> 'person_uid' from governed_record b where b.kind = 'binding' and b.state = 'active'
            and b.body ->> 'application_uid' = of_application and (b.body ->> 'valid_until')::timestamptz > moment
        )
      $$;

      -- A delegation begins as a draft of an application of its tenant, pinned to a graph in force as it is.
      create function check_draft() returns trigger language plpgsql as $$
      begin
        if new.state <> 'draft' or new.activated_at is not null or new.ended_at is not null then
          raise exception 'a delegation begins as a draft' using errcode = 'integrity_constraint_violation';
        end if;
        if not exists (select from governed_record g
          where g.uid = new.graph_uid and g.kind = 'graph' and g.state = 'active'
            and (g.workspace_uid, g.environment) = (new.workspace_uid, new.environment)
            and (g.version, g.body_hash) = (new.graph_version, new.graph_hash)
            and new.nodes = (
              select jsonb_agg(node || jsonb_build_object('position', position) order by position)
              from jsonb_array_elements(g.body -> 'nodes') with ordinality as n (node, position)))
          or exists (select from jsonb_array_elements(new.nodes) place
            where coalesce((place ->> 'quorum')::integer, 0) < 1)
        then
          raise exception 'a draft is pinned to a graph in force, as it is' using errcode = 'integrity_constraint_violation';
        end if;
        if not exists (select from application a join governed_record i on i.uid = new.identity_uid and i.kind = 'identity'
          where a.uid = new.created_by_uid
            and new.creator_persons @> (persons_behind(a.uid, new.created_at) || (i.body ->> 'owner_uid'))
            and (a.workspace_uid, a.environment) = (new.workspace_uid, new.environment)
            and (i.workspace_uid, i.environment) = (new.workspace_uid, new.environment))
        then
          raise exception 'a draft names all who stand behind it' using errcode = 'integrity_constraint_violation';
        end if;
        if new.replaces_uid is not null and not exists (select from delegation r
          where r.uid = new.replaces_uid and r.identity_uid = new.identity_uid and not exists (
            select from unnest(array['action', 'counterparty_id', 'connector', 'currency', 'execution_mode', 'time_zone'])
              as same (member) where r.terms -> member is distinct from new.terms -> member))
        then
          raise exception 'a delegation replaces one for the same thing' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger checked before insert on delegation for each row execute function check_draft();

      create function keep_delegation() returns trigger language plpgsql as $$
      declare
        moment timestamptz;
      begin
        if (new.uid, new.workspace_uid, new.environment, new.identity_uid, new.terms, new.terms_hash, new.reason,
            new.graph_uid, new.graph_version, new.graph_hash, new.nodes, new.creator, new.creator_persons,
            new.created_by_uid, new.created_at, new.draft_expires_at, new.valid_until, new.replaces_uid)
          is distinct from (old.uid, old.workspace_uid, old.environment, old.identity_uid, old.terms, old.terms_hash,
            old.reason, old.graph_uid, old.graph_version, old.graph_hash, old.nodes, old.creator, old.creator_persons,
            old.created_by_uid, old.created_at, old.draft_expires_at, old.valid_until, old.replaces_uid)
        then
          raise exception 'the terms of a delegation never change' using errcode = 'integrity_constraint_violation';
        end if;
        if new.state <> old.state and (old.state, new.state) not in (
          ('draft', 'activated'), ('draft', 'rejected'), ('draft', 'withdrawn'), ('draft', 'expired'),
          ('activated', 'suspended'), ('activated', 'revoked'), ('activated', 'expired'), ('activated', 'superseded'),
          ('suspended', 'activated'), ('suspended', 'revoked'), ('suspended', 'expired'), ('suspended', 'superseded')
        ) then
          raise exception 'a delegation never goes from % to %', old.state, new.state
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state = 'activated' and old.state <> 'activated' then
          moment := greatest(new.activated_at, now());
          if not is_quorum_complete(new.uid) or support_ends(new.uid, moment) <= moment or not terms_stand(new.uid) then
            raise exception 'a delegation is not activated without its quorum, or without what it rests on'
              using errcode = 'integrity_constraint_violation';
          end if;
        end if;
        return new;
      end $$;

      -- Whether each node of the pinned graph has as many counted approvals as it asks for. None is no graph.
      create function is_quorum_complete(of_delegation text) returns boolean stable language sql as $$
        select coalesce(bool_and((place ->> 'quorum')::integer <= (
          select count(*) from delegation_approval a
          where a.delegation_uid = d.uid and a.state = 'counted' and a.node = (place ->> 'position')::integer
        )), false)
        from delegation d cross join jsonb_array_elements(d.nodes) place where d.uid = of_delegation
      $$;

      create trigger keep before update on delegation for each row execute function keep_delegation();

      -- The only way in which the API brings a delegation into force; it ends the one that it replaces.
      create function activate_delegation(of_delegation text, moment timestamptz) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        replaced text;
      begin
        update delegation set state = 'activated', activated_at = moment
          where uid = of_delegation and state = 'draft' and least(draft_expires_at, valid_until) > greatest(moment, now())
          returning replaces_uid into replaced;
        if not found then
          return false;
        end if;
        update delegation set state = 'superseded', ended_at = moment, state_reason = 'replaced'
          where uid = replaced and state in ('activated', 'suspended');
        if replaced is not null and not found then
          raise exception 'what a delegation replaces has ended' using errcode = 'integrity_constraint_violation';
        end if;
        -- what was used of the old budgets is used of the new ones
        insert into delegation_window
          select of_delegation, w.workspace_uid, w.environment, w.kind, w.key, c.cap, 0, least(c.cap, w.reserved + w.settled)
          from delegation_window w
          join delegation d on d.uid = of_delegation
          cross join lateral (select (d.terms -> 'budgets' ->> ('per_' || w.kind || '_minor'))::bigint as cap) c
          where w.delegation_uid = replaced;
        return true;
      end $$;

      -- Votes are cast one after the other, also by a role that cannot change a delegation.
      create function lock_delegation(of_delegation text) returns void
      language sql security definer set search_path = public, pg_temp as $$
        select uid from delegation where uid = of_delegation for update
      $$;

      create function expire_delegation(of_delegation text, moment timestamptz) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        update delegation set state = 'expired', ended_at = moment
          where uid = of_delegation and (state = 'draft' and least(draft_expires_at, valid_until) <= moment
            or state in ('activated', 'suspended') and valid_until <= moment);
        return found;
      end $$;
`;

/** What a vote has to stand on, and that it can only be voided. */
export const approvalRules = `
      create function check_approval() returns trigger language plpgsql as $$
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
        if new.application_uid is null and not (d.state = 'suspended' and app_is_operator()) then
          raise exception 'a vote is carried by an application' using errcode = 'integrity_constraint_violation';
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
      create trigger checked before insert on delegation_approval for each row execute function check_approval();

      create function keep_approval() returns trigger language plpgsql as $$
      begin
        if old.state = 'voided' or new.state <> 'voided' or (to_jsonb(new) - array['state', 'void_reason', 'voided_at'])
          <> (to_jsonb(old) - array['state', 'void_reason', 'voided_at'])
        then
          raise exception 'an approval can only be voided, once' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger keep before update on delegation_approval for each row execute function keep_approval();
`;
