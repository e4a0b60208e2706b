-- Only the owner may analyze a partition, so whoever imports observations calls this.
create function analyze_partitioned(of_table text) returns void
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      begin
        if session_user not in (current_database() || '_operator', current_database() || '_worker') then
          raise insufficient_privilege using message = 'only who brings observations may have them analyzed';
        end if;
        if not exists (select from partitioned_tables() t where t.name = of_table) then
          raise undefined_table using message = of_table || ' has no partitions';
        end if;
        execute format('analyze (skip_locked) public.%I', of_table);
      end $$;
