-- Whether the caller owns the schema. Functions with `security definer` run as the owner, and row-level security
-- is forced on the owner too, so policies have to let them through.
create function app_is_owner() returns boolean
  language sql stable parallel safe
as $$ select current_user = (select pg_get_userbyid(relowner) from pg_class where oid = 'public.dispatch'::regclass) $$;
