-- Lets a role that cannot change a delegation lock it, so that votes are cast one after the other.
create function lock_delegation(of_delegation text) returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
        select uid from delegation where uid = of_delegation for update
      $$;
