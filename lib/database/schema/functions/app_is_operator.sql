-- Whether the caller is the login role of operators.
create function app_is_operator() returns boolean
  language sql stable parallel safe
as $$ select current_user = current_database() || '_operator' $$;
