-- The terms of a delegation never change, its state follows the allowed transitions, and activation needs the
-- quorum.
create function keep_delegation() returns trigger
  language plpgsql
as $$
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
