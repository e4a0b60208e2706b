-- Whether everything that a delegation refers to is in force: its identity, action, connector and counterparty,
-- and the ceilings that have to cover it.
create function terms_stand(of_delegation text) returns boolean
  language sql stable
as $$
        select coalesce(bool_and(
          found.action -> 'machine_delegable' = 'true'
          and found.connector -> 'actions' @> (d.terms -> 'action')
          and found.connector -> 'currencies' @> (d.terms -> 'currency')
          and found.connector -> 'execution_modes' @> (d.terms -> 'execution_mode')
          and limits_cover(found.identity_ceiling -> 'limits', d.terms)
          and limits_cover(found.ceiling -> 'limits', d.terms)
          and exists (select from counterparty p where p.id = (d.terms ->> 'counterparty_id')::bigint
            and p.workspace_uid = d.workspace_uid and p.kind = 'counterparty' and p.state = 'active')
        ), false)
        from delegation d
        join governed_record i on i.uid = d.identity_uid and i.state = 'active'
        cross join lateral (select
          body_in_force(d.workspace_uid, d.environment, 'action', d.terms ->> 'action') as action,
          body_in_force(d.workspace_uid, d.environment, 'connector', d.terms ->> 'connector') as connector,
          body_in_force(d.workspace_uid, d.environment, 'identity_ceiling', i.key) as identity_ceiling,
          body_in_force(d.workspace_uid, d.environment, 'ceiling', 'workspace') as ceiling) found
        where d.uid = of_delegation
      $$;
