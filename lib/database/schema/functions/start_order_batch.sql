-- A batch begins as a draft.
create function start_order_batch() returns trigger
  language plpgsql
as $$
      begin
        if new.state <> 'drafted' then
          raise exception 'a batch begins as a draft' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
