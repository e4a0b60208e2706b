-- Makes partitions ahead of time, on behalf of workers. It gives up a lock that it does not get soon: another turn
-- comes.
create function add_partitions(years_ahead integer) returns setof text
  language plpgsql security definer
  set search_path = public, pg_temp
  set timezone = 'UTC'
  set lock_timeout = '2s'
as $$
      declare
        of_table text;
        next_year integer;
      begin
        perform begin_partition_upkeep();
        if years_ahead is null or years_ahead not between 1 and 50 then
          raise invalid_parameter_value using message = 'partitions are made 1 to 50 years ahead';
        end if;
        for of_table in select t.name from partitioned_tables() t order by 1 loop
          select extract(year from max(r.end_day)) into strict next_year from partition_ranges(of_table) r;
          while next_year < extract(year from current_date) + years_ahead loop
            return next add_partition(of_table, next_year);
            next_year := next_year + 5;
          end loop;
        end loop;
      end $$;
