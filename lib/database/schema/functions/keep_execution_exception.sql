-- An exception that has ended never changes. A first waiver is void once the exception itself has changed.
create function keep_execution_exception() returns trigger
  language plpgsql
as $$
      begin
        if old.state in ('resolved', 'waived') or (new.uid, new.batch_uid, new.key, new.kind, new.opened_at)
          is distinct from (old.uid, old.batch_uid, old.key, old.kind, old.opened_at)
        then
          raise exception 'an exception that ended never changes, nor what it is about'
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state = 'open' and old.state <> 'open' then
          raise exception 'what is acknowledged stays so' using errcode = 'integrity_constraint_violation';
        end if;
        -- who wanted to waive it as it was has not seen how it is now
        if new.fingerprint <> old.fingerprint then
          new.first_waiver_uid := null;
        end if;
        return new;
      end $$;
