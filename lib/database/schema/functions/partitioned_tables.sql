-- Tables with partitions, each with the column that it is partitioned by.
create function partitioned_tables() returns table (name text, key text)
  language sql stable
  set search_path = public, pg_temp
as $$
          select c.relname::text, a.attname::text
          from pg_partitioned_table p
          join pg_class c on c.oid = p.partrelid and c.relnamespace = 'public'::regnamespace
          join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
        $$;
