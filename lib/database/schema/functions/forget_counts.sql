-- Deletes counts that no longer matter.
create function forget_counts() returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
          delete from rate_limit where full_at < now();
          delete from penalty where forgotten_at < now()
        $$;
