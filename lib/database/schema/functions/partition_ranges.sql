-- The partitions of a table in order, without the default one. `end_day` is exclusive.
create function partition_ranges(of_table text) returns table (name text, first_day date, end_day date)
  language sql stable
  set search_path = public, pg_temp
  set timezone = 'UTC'
as $$
          select c.relname::text, substring(bound from $b$FROM \('(\d{4}-\d\d-\d\d)$b$)::date,
            substring(bound from $b$TO \('(\d{4}-\d\d-\d\d)$b$)::date
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid,
          lateral pg_get_expr(c.relpartbound, c.oid) bound
          where i.inhparent = to_regclass('public.' || quote_ident(of_table)) and bound <> 'DEFAULT'
          order by 2
        $$;
