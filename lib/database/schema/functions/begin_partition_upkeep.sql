-- Only workers maintain partitions, one at a time.
create function begin_partition_upkeep() returns void
  language plpgsql
as $$
      begin
        if session_user <> current_database() || '_worker' then
          raise insufficient_privilege using message = 'only workers maintain partitions';
        end if;
        perform pg_advisory_xact_lock(hashtextextended('partitions', 0));
      end $$;
