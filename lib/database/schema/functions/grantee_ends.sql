-- Until when an active person is among those to whom an authority is given; -infinity if they are not.
create function grantee_ends(authority governed_record, person text) returns timestamptz
  language sql stable
as $$
        select coalesce(max(case
          when authority.body -> 'grantee' ->> 'person_uid' = p.uid then 'infinity'::timestamptz
          else role_ends(authority.workspace_uid, authority.environment, p.uid, authority.body -> 'grantee' ->> 'role')
        end), '-infinity')
        from person p where p.uid = grantee_ends.person and p.state = 'active'
      $$;
