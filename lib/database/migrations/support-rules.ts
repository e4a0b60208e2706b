/** Until when the votes for a delegation have what they stand on: what ends by the clock, nobody ends. */
export const supportRules = `
      -- Until when an active person is one of those whom an authority is given to; -infinity where they are not.
      create function grantee_ends(authority governed_record, person text) returns timestamptz
      stable language sql as $$
        select coalesce(max(case
          when authority.body -> 'grantee' ->> 'person_uid' = p.uid then 'infinity'::timestamptz
          else role_ends(authority.workspace_uid, authority.environment, p.uid, authority.body -> 'grantee' ->> 'role')
        end), '-infinity')
        from person p where p.uid = grantee_ends.person and p.state = 'active'
      $$;

      -- Whether limits, one a currency, cover the budgets of terms.
      create function limits_cover(limits jsonb, terms jsonb) returns boolean immutable language sql as $$
        select exists (select from jsonb_array_elements(limits) most
          where most -> 'currency' = terms -> 'currency' and not exists (
            select from unnest(array['per_action_minor', 'per_day_minor', 'per_month_minor']) as bound
            where (terms -> 'budgets' ->> bound)::bigint > (most ->> bound)::bigint))
      $$;

      -- Whether an authority to approve delegations covers terms: each bound of them.
      create function authority_covers(body jsonb, terms jsonb) returns boolean stable language sql as $$
        select coalesce(body -> 'capabilities' @> '"approve_delegation"' and body -> 'actions' @> (terms -> 'action')
          and (body ->> 'connectors' = 'any_registered' or body -> 'connectors' @> (terms -> 'connector'))
          and (body ->> 'counterparties' = 'any_registered' or body -> 'counterparties' @> (terms -> 'counterparty_id'))
          and array_position(array['T1', 'T2', 'T3'], terms ->> 'risk_tier')
            <= array_position(array['T1', 'T2', 'T3'], body ->> 'max_risk_tier')
          and (terms ->> 'valid_until')::timestamptz <= (body ->> 'valid_until')::timestamptz
          and limits_cover(body -> 'limits', terms), false)
      $$;

      -- Until when a person has an authority that covers terms: it, and each that it was granted under, up to one out of
      -- the ceiling, is in force and wide enough, and who granted it has the one above. -infinity where that is not so.
      create function authority_ends(workspace text, environment text, authority_key text, person text, terms jsonb,
        moment timestamptz) returns timestamptz stable language plpgsql as $$
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

      -- Until when every vote for a delegation stands; -infinity where one does not, or there is none.
      create function support_ends(of_delegation text, moment timestamptz) returns timestamptz
      stable language sql as $$
        select coalesce(min(least(
          authority_ends(stood.workspace_uid, stood.environment, stood.key, v.person_uid, d.terms, moment),
          case when v.role is not null then role_ends(v.workspace_uid, v.environment, v.person_uid, v.role) end
        )), '-infinity')
        from delegation d
        join delegation_approval v on v.delegation_uid = d.uid and v.state = 'counted'
        join governed_record stood on stood.uid = v.authority_uid
        where d.uid = of_delegation
      $$;

      -- Whether what a delegation is about is in force: its identity, action and connector, its counterparty, and the
      -- ceilings that have to cover it.
      create function terms_stand(of_delegation text) returns boolean stable language sql as $$
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
`;

/** What is in force, and who has which role until when. */
export const roleRules = `
      create function body_in_force(workspace text, environment text, kind text, key text) returns jsonb
      stable language sql as $$
        select g.body from governed_record g where g.state = 'active'
          and (g.workspace_uid, g.environment, g.kind, g.key) = ($1, $2, $3, $4)
      $$;

      -- Until when a person has a role that is in force; -infinity where they do not have it.
      create function role_ends(workspace text, environment text, person text, role text) returns timestamptz
      stable language sql as $$
        select coalesce(max(coalesce((m.body ->> 'valid_until')::timestamptz, 'infinity')), '-infinity')
        from governed_record m where m.kind = 'membership' and m.state = 'active'
          and (m.workspace_uid, m.environment) = ($1, $2) and m.body ->> 'person_uid' = $3 and m.body ->> 'role' = $4
          and body_in_force($1, $2, 'role', $4) is not null
      $$;
`;
