-- A sealed forecast is watched until its actual values are known.
create function watch_forecast() returns trigger
  language plpgsql
as $$
      begin
        insert into forecast_watch (run_uid, workspace_uid, environment, look_at)
        values (new.run_uid, new.workspace_uid, new.environment, now()) on conflict do nothing;
        return null;
      end $$;
