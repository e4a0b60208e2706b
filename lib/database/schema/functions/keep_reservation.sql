-- A reservation ends once, and its amount never changes.
create function keep_reservation() returns trigger
  language plpgsql
as $$
      begin
        if new.state <> old.state and (old.state, new.state) not in (('reserved', 'settled'), ('reserved', 'released'),
          ('reserved', 'stuck'), ('stuck', 'settled'), ('stuck', 'released')) or new.amount <> old.amount
          or old.state = 'stuck' and new.state <> 'stuck' and new.evidence is null
          or old.offered is not null and new.offered is distinct from greatest(old.offered, new.offered)
        then
          raise exception 'a reservation ends once' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
