-- Lets a role that cannot change a delegation lock one of its tenant, so that votes are cast one after the other.
create function lock_delegation(of_delegation text) returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
        select uid from delegation
        where uid = of_delegation and workspace_uid = app_workspace() and environment = app_environment() for update
      $$;
