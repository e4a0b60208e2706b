-- Takes the rows of a partition that is about to go out of the counts and dates of their datasets.
create function forget_dropped(partition text, of_first_day date, of_end_day date) returns void
  language plpgsql
  set search_path = public, pg_temp
as $$
      declare
        held integer;
        gone bigint;
      begin
        for held in select datasets_in_partition(partition) loop
          execute format('select count(*) from partitions.%I where dataset_id = $1', partition) into gone using held;
          update dataset set rows_held = rows_held - gone,
            first_observed_on = case when first_observed_on >= of_first_day then greatest(first_observed_on, of_end_day)
              else first_observed_on end
          where id = held;
        end loop;
      end $$;
