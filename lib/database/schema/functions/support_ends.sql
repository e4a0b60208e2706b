-- Until when every vote for a delegation is supported; -infinity if one is not, or if there is no vote.
create function support_ends(of_delegation text, moment timestamptz) returns timestamptz
  language sql stable
as $$
        select coalesce(min(least(
          authority_ends(stood.workspace_uid, stood.environment, stood.key, v.person_uid, d.terms, moment),
          case when v.role is not null then role_ends(v.workspace_uid, v.environment, v.person_uid, v.role) end
        )), '-infinity')
        from delegation d
        join delegation_approval v on v.delegation_uid = d.uid and v.state = 'counted'
        join governed_record stood on stood.uid = v.authority_uid
        where d.uid = of_delegation
      $$;
