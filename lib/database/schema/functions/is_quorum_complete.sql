-- Whether each node of the pinned graph has the approvals that it needs. Without nodes there is no quorum.
create function is_quorum_complete(of_delegation text) returns boolean
  language sql stable
as $$
        select coalesce(bool_and((place ->> 'quorum')::integer <= (
          select count(*) from delegation_approval a
          where a.delegation_uid = d.uid and a.state = 'counted' and a.node = (place ->> 'position')::integer
        )), false)
        from delegation d cross join jsonb_array_elements(d.nodes) place where d.uid = of_delegation
      $$;
