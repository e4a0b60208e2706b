-- Whether the caller is the login role of workers.
create function app_is_worker() returns boolean
  language sql stable parallel safe
as $$ select current_user = current_database() || '_worker' $$;
