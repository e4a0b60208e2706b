-- A vote never changes; it can be voided once.
create function keep_approval() returns trigger
  language plpgsql
as $$
      begin
        if old.state = 'voided' or new.state <> 'voided' or (to_jsonb(new) - array['state', 'void_reason', 'voided_at'])
          <> (to_jsonb(old) - array['state', 'void_reason', 'voided_at'])
        then
          raise exception 'an approval can only be voided, once' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
