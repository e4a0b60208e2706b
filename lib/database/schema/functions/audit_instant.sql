-- Declared immutable, as generated columns require. The body states its instant in UTC, so no setting changes the
-- result.
create function audit_instant(body text) returns timestamptz
  language sql immutable parallel safe
as $$ select (body::json ->> 'at')::timestamptz $$;
