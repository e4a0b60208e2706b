-- A JSON string, or null.
create function audit_text(value text) returns text
  language sql immutable parallel safe
as $$ select coalesce(to_json(value)::text, 'null') $$;
