-- Until when a person has an authority that covers terms. The authority, and each one above it up to one granted
-- out of the ceiling, must be in force and wide enough, and whoever granted it must hold the one above. -infinity
-- if that is not so.
create function authority_ends(
  workspace text, environment text, authority_key text, person text, terms jsonb, moment timestamptz
) returns timestamptz
  language plpgsql stable
as $$
      declare
        authority governed_record;
        next_key text := authority_key;
        holder text := person;
        passed text[] := array[]::text[];
        ends timestamptz := 'infinity';
      begin
        while next_key is not null loop
          select * into authority from governed_record g where g.kind = 'authority' and g.state = 'active'
            and (g.workspace_uid, g.environment, g.key) = ($1, $2, next_key);
          if not found or next_key = any(passed) or (authority.body ->> 'valid_from')::timestamptz > moment
            or not authority_covers(authority.body, terms)
          then
            return '-infinity';
          end if;
          ends := least(ends, (authority.body ->> 'valid_until')::timestamptz, grantee_ends(authority, holder));
          passed := passed || next_key;
          holder := authority.submitted_by_uid;
          next_key := authority.body ->> 'granted_under';
        end loop;
        return case when limits_cover(body_in_force($1, $2, 'ceiling', 'workspace') -> 'limits', terms)
          then ends else '-infinity' end;
      end $$;
