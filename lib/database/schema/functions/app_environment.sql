-- The environment that the transaction works for; null where none was set.
create function app_environment() returns text
  language sql stable parallel safe
as $$ select nullif(current_setting('app.environment', true), '') $$;
