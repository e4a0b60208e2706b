-- The workspace that the transaction works for; null where none was set.
create function app_workspace() returns text
  language sql stable parallel safe
as $$ select nullif(current_setting('app.workspace', true), '') $$;
