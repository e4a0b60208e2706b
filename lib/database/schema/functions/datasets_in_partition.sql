-- The datasets that have rows in a partition, by one look into the index for each.
create function datasets_in_partition(name text) returns setof integer
  language plpgsql
  set search_path = public, pg_temp
as $$
      declare
        id integer;
      begin
        execute format('select min(dataset_id) from partitions.%I', name) into id;
        while id is not null loop
          return next id;
          execute format('select min(dataset_id) from partitions.%I where dataset_id > $1', name) into id using id;
        end loop;
      end $$;
