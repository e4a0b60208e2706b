-- The short members of a run's input, which lists show.
create function run_summary(input jsonb) returns jsonb
  language sql immutable parallel safe
  set search_path = public, pg_temp
as $$
          select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(input)
          where jsonb_typeof(value) not in ('object', 'array') and octet_length(value::text) <= 512
        $$;
