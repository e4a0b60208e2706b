-- Until when a person has a role that is in force; -infinity if they do not have it.
create function role_ends(workspace text, environment text, person text, role text) returns timestamptz
  language sql stable
as $$
        select coalesce(max(coalesce((m.body ->> 'valid_until')::timestamptz, 'infinity')), '-infinity')
        from governed_record m where m.kind = 'membership' and m.state = 'active'
          and (m.workspace_uid, m.environment) = ($1, $2) and m.body ->> 'person_uid' = $3 and m.body ->> 'role' = $4
          and body_in_force($1, $2, 'role', $4) is not null
      $$;
