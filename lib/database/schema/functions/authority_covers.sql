-- Whether an authority to approve delegations covers every bound of the terms.
create function authority_covers(body jsonb, terms jsonb) returns boolean
  language sql stable
as $$
        select coalesce(body -> 'capabilities' @> '"approve_delegation"' and body -> 'actions' @> (terms -> 'action')
          and (body ->> 'connectors' = 'any_registered' or body -> 'connectors' @> (terms -> 'connector'))
          and (body ->> 'counterparties' = 'any_registered' or body -> 'counterparties' @> (terms -> 'counterparty_id'))
          and array_position(array['T1', 'T2', 'T3'], terms ->> 'risk_tier')
            <= array_position(array['T1', 'T2', 'T3'], body ->> 'max_risk_tier')
          and (terms ->> 'valid_until')::timestamptz <= (body ->> 'valid_until')::timestamptz
          and limits_cover(body -> 'limits', terms), false)
      $$;
