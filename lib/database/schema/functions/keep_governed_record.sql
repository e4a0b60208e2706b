-- The body of a record never changes, and its state follows the allowed transitions.
create function keep_governed_record() returns trigger
  language plpgsql
as $$
      begin
        if (new.uid, new.workspace_uid, new.environment, new.kind, new.key, new.version, new.name, new.body,
            new.body_hash, new.drafted_by_uid, new.created_at)
          is distinct from (old.uid, old.workspace_uid, old.environment, old.kind, old.key, old.version, old.name,
            old.body, old.body_hash, old.drafted_by_uid, old.created_at)
        then
          raise exception 'a % never changes; a change is a new version', old.kind using errcode = 'integrity_constraint_violation';
        end if;
        if new.state <> old.state and (old.state, new.state) not in (
          ('draft', 'submitted'), ('draft', 'withdrawn'), ('submitted', 'withdrawn'), ('submitted', 'active'),
          ('active', 'suspended'), ('active', 'ended'), ('suspended', 'ended')
        ) and not (old.drafted_by_uid is null and old.state = 'draft' and new.state = 'active')
        then
          raise exception 'a % never goes from % to %', old.kind, old.state, new.state
            using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
