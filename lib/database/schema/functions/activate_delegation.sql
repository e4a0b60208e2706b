-- The only way in which the API activates a delegation, of the transaction's tenant. It ends the delegation that is replaced.
create function activate_delegation(of_delegation text, moment timestamptz) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      declare
        replaced text;
      begin
        update delegation set state = 'activated', activated_at = moment
          where uid = of_delegation and workspace_uid = app_workspace() and environment = app_environment()
            and state = 'draft' and least(draft_expires_at, valid_until) > greatest(moment, now())
          returning replaces_uid into replaced;
        if not found then
          return false;
        end if;
        update delegation set state = 'superseded', ended_at = moment, state_reason = 'replaced'
          where uid = replaced and state in ('activated', 'suspended');
        if replaced is not null and not found then
          raise exception 'what a delegation replaces has ended' using errcode = 'integrity_constraint_violation';
        end if;
        -- what was used of the old budgets is used of the new ones
        insert into delegation_window
          select of_delegation, w.workspace_uid, w.environment, w.kind, w.key, c.cap, 0, least(c.cap, w.reserved + w.settled)
          from delegation_window w
          join delegation d on d.uid = of_delegation
          cross join lateral (select (d.terms -> 'budgets' ->> ('per_' || w.kind || '_minor'))::bigint as cap) c
          where w.delegation_uid = replaced;
        return true;
      end $$;
