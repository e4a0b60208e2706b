-- Ends a delegation of the transaction's tenant whose time is over. Returns whether it did.
create function expire_delegation(of_delegation text, moment timestamptz) returns boolean
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      begin
        update delegation set state = 'expired', ended_at = moment
          where uid = of_delegation and workspace_uid = app_workspace() and environment = app_environment()
            and (state = 'draft' and least(draft_expires_at, valid_until) <= moment
            or state in ('activated', 'suspended') and valid_until <= moment);
        return found;
      end $$;
