-- Adds a partition of five years. It is filled before it is attached, so that readers of the table wait only while
-- rows move out of the default partition.
create function add_partition(of_table text, first_year integer) returns text
  language plpgsql
  set search_path = public, pg_temp
  set timezone = 'UTC'
as $$
      declare
        name text := format('%s_%s', of_table, first_year);
        key text := (select t.key from partitioned_tables() t where t.name = of_table);
        first_day date := make_date(first_year, 1, 1);
        end_day date := make_date(first_year + 5, 1, 1);
      begin
        execute format('create table partitions.%I (like public.%I including defaults including constraints including storage)', name, of_table);
        perform wall_off_partition(name);
        execute format('lock table partitions.%I in access exclusive mode', of_table || '_rest');
        execute format('with moved as (delete from partitions.%I where %I >= %L and %I < %L returning *)
          insert into partitions.%I select * from moved', of_table || '_rest', key, first_day, key, end_day, name);
        execute format('alter table public.%I attach partition partitions.%I for values from (%L) to (%L)', of_table, name, first_day, end_day);
        return name;
      end $$;
