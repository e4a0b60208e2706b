-- Evidence never changes; how often it was seen may.
create function keep_execution_evidence() returns trigger
  language plpgsql
as $$
      begin
        if to_jsonb(new) - '{times_seen,last_seen_at}'::text[]
          is distinct from to_jsonb(old) - '{times_seen,last_seen_at}'::text[]
        then
          raise exception 'evidence never changes' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
