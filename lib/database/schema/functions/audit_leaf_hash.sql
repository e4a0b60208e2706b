-- The hash of a leaf of the Merkle tree (RFC 6962, section 2.1).
create function audit_leaf_hash(body text) returns text
  language sql immutable parallel safe
as $$ select encode(sha256('\x00'::bytea || convert_to(body, 'UTF8')), 'hex') $$;
