-- Only workers maintain partitions, one at a time.
create function refuse_who_keeps_no_house() returns void
  language plpgsql
as $$
      begin
        if session_user <> current_database() || '_worker' then
          raise insufficient_privilege using message = 'partitions are the upkeep of workers';
        end if;
        perform pg_advisory_xact_lock(hashtextextended('partitions', 0));
      end $$;
