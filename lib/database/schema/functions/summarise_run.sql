-- Writes the summary of a run that is inserted without one.
create function summarise_run() returns trigger
  language plpgsql
  set search_path = public, pg_temp
as $$
          begin
            new.summary := run_summary(new.input);
            return new;
          end $$;
