-- Forgets the failures of a key.
create function forgive(of_key text) returns void
  language sql security definer
  set search_path = public, pg_temp
as $$ delete from penalty where key = of_key $$;
