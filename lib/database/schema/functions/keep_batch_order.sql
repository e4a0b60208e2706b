-- An order never changes, except in state.
create function keep_batch_order() returns trigger
  language plpgsql
as $$
      begin
        if to_jsonb(new) - 'state' is distinct from to_jsonb(old) - 'state' then
          raise exception 'an order never changes; a change is another order'
            using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
