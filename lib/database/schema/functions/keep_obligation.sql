-- An obligation never changes except in state and counts, and only an operator ends a dispute or a record.
create function keep_obligation() returns trigger
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
        if new.governance_state not in (old.governance_state, 'disputed') and not app_is_operator() then
          raise exception 'only an operator ends a dispute or a record' using errcode = 'insufficient_privilege';
        end if;
        return new;
      end $$;
