-- One member of the body of an entry, as text.
create function audit_member(body text, place text[]) returns text
  language sql immutable parallel safe
as $$ select body::json #>> place $$;
