-- Drops the partitions that every dataset in them has let go. Workers may call it; they choose neither what is
-- dropped nor when.
create function drop_unwanted_partitions()
  returns table (partition text, first_day date, end_day date, dataset_id integer, workspace_uid text)
  language plpgsql security definer
  set search_path = public, pg_temp
  set timezone = 'UTC'
  set lock_timeout = '2s'
as $$
      declare
        old record;
      begin
        perform begin_partition_upkeep();
        for old in
          select * from partition_ranges('price') r
          where r.end_day <= current_date - make_interval(years => (select min(d.keep_years) from dataset_retention d))
          order by r.first_day
        loop
          continue when not is_unwanted(old.name, old.end_day);
          lock table price in access exclusive mode;
          continue when not is_unwanted(old.name, old.end_day);
          perform forget_dropped(old.name, old.first_day, old.end_day);
          return query
            select old.name, old.first_day, old.end_day, r.dataset_id, r.workspace_uid
            from datasets_in_partition(old.name) held (id) join dataset_retention r on r.dataset_id = held.id
            order by r.dataset_id;
          execute format('drop table partitions.%I', old.name);
        end loop;
      end $$;
